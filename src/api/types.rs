//! The TypeScript types of parameters and results, by the names the tables use.

/// An array, a tracer, or a plain number or boolean.
pub const LIKE: &str = "ArrayLike";
/// An array or a nested list of numbers.
pub const NESTED: &str = "NestedArrayLike";
/// Several arrays.
pub const LIKES: &str = "readonly ArrayLike[]";
/// Several arrays, or one whose rows are taken.
pub const SEQUENCE: &str = "readonly NestedArrayLike[] | ArrayLike";
/// An array given back.
pub const ARRAY: &str = "Array";
/// Several arrays given back.
pub const ARRAYS: &str = "Array[]";
/// Two arrays given back.
pub const PAIR: &str = "[Array, Array]";
/// One axis.
pub const INT: &str = "number";
/// One axis or none.
pub const AXIS: &str = "number | null";
/// One axis, several, or all.
pub const AXES: &str = "number | readonly number[] | null";
/// Integers.
pub const INTS: &str = "number | readonly number[]";
/// Axis sizes.
pub const SHAPE: &str = "number | readonly number[]";
/// Axis sizes, or taken from elsewhere when null.
pub const OPT_SHAPE: &str = "number | readonly number[] | null";
/// The name of an element type.
pub const DTYPE: &str = "DType";
/// The name of an element type, or a default.
pub const OPT_DTYPE: &str = "DType | null";
/// A yes or no.
pub const BOOL: &str = "boolean";
/// A plain number.
pub const FLOAT: &str = "number";
/// A plain number or none.
pub const OPT_FLOAT: &str = "number | null";
/// A plain integer or none.
pub const OPT_INT: &str = "number | null";
/// An array or none.
pub const OPT_LIKE: &str = "ArrayLike | null";
/// Text.
pub const STRING: &str = "string";
/// Text or none.
pub const OPT_STRING: &str = "string | null";
/// Text or a number.
pub const ORDER: &str = "string | number | null";
/// Parts of an index.
pub const INDEX: &str = "readonly Index[]";
/// Anything that may be given an index.
pub const ANY: &str = "unknown";
/// Anything with a dtype.
pub const TYPED: &str = "ArrayLike | DType";
/// Padding widths.
pub const WIDTHS: &str = "number | readonly number[] | readonly (readonly number[])[]";
/// Dimension numbers of a general product.
pub const DOT_DIMS: &str = "readonly [readonly [readonly number[], readonly number[]], readonly [readonly number[], readonly number[]]]";
/// Einsum: subscripts, or operands.
pub const OPERANDS: &str = "readonly (string | ArrayLike)[]";
/// Properties of a dtype.
pub const INFO: &str = "Record<string, number | string>";
/// Axes in pairs for a product.
pub const PRODUCT_AXES: &str =
    "number | readonly [number | readonly number[], number | readonly number[]]";
/// Integers given back.
pub const INTS_OUT: &str = "number[]";
