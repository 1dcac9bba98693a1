/**
 * What is known of the library's functions without running them.
 *
 * The functions listed here take arrays and give a *new handle* of an array: they never return an
 * argument itself, never keep one, and never show one to a function of the user. So the value they
 * return belongs to whoever called, and what is passed to them may be freed afterwards.
 */

const ELEMENTWISE =
  "abs absolute add arccos arccosh arcsin arcsinh arctan arctan2 arctanh cbrt ceil clip cos cosh " +
  "deg2rad degrees divide equal exp exp2 expm1 fabs floor floorDivide fmax fmin fmod greater " +
  "greaterEqual heaviside hypot isfinite isinf isnan less lessEqual log log10 log1p log2 logaddexp " +
  "logaddexp2 logicalAnd logicalNot logicalOr logicalXor maximum minimum mod multiply nanToNum " +
  "negative notEqual power rad2deg radians reciprocal remainder sign sin sinc sinh sqrt square " +
  "subtract tan tanh trueDivide where";

const REDUCTIONS =
  "all amax amin any argmax argmin average countNonzero cumprod cumsum max mean median min nanmax " +
  "nanmean nanmin nansum prod ptp std sum var";

const PRODUCTS = "cross dot einsum inner kron matmul outer tensordot trace vdot";

const CREATION =
  "arange empty emptyLike eye full fullLike identity linspace logspace ones onesLike tri zeros zerosLike";

const LAX =
  "abs acos acosh add asin asinh atan atan2 atanh cbrt ceil clamp cos cosh div dot eq erf erfInv " +
  "erfc exp exp2 expm1 floor ge gt integerPow isFinite le log log1p logistic lt max min mul ne neg " +
  "pow rem round rsqrt sign sin sinh sqrt sub tan tanh";

const NN =
  "celu elu gelu glu hardSigmoid hardSilu hardTanh leakyRelu logSigmoid logSoftmax logsumexp " +
  "oneHot relu relu6 selu sigmoid silu softSign softmax softplus standardize swish";

const words = (...lists: string[]) => new Set(lists.join(" ").split(" "));

/** For each namespace, the functions of which the promise above holds. */
export const FRESH: Readonly<Record<string, ReadonlySet<string>>> = {
  np: words(ELEMENTWISE, REDUCTIONS, PRODUCTS, CREATION),
  lax: words(LAX),
  nn: words(NN),
};

/**
 * Transforms whose functions return new handles, and which of their arguments the user's function
 * sees only as tracers: the first one, or all.
 */
export const TRACED: Readonly<Record<string, "first" | "all">> = {
  grad: "first",
  valueAndGrad: "first",
  jit: "all",
};

/** Properties of an array that are read off at once. */
export const PLAIN_PROPERTIES: ReadonlySet<string> = new Set(["shape", "dtype", "ndim", "size"]);

/** Methods of an array that give plain JavaScript values. */
export const PLAIN_METHODS: ReadonlySet<string> = new Set(["item", "tolist", "toString"]);
