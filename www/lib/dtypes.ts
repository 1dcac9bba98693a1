/** The element types and their numbers on the tape. */

/** NumPy's names of the element types; `key<fry>` is a random key. */
const DTYPES = ["bool", "int32", "uint32", "float32", "float64", "float0", "key<fry>"] as const;
export type DType = (typeof DTYPES)[number];

/** The number of a dtype on the tape. */
export const dtypeCode = (dtype: DType): number => DTYPES.indexOf(dtype);
/** The dtype of a number on the tape. */
export const dtypeOf = (code: number): DType => DTYPES[code] ?? "float32";
