//! The TypeScript types of parameters and results, by the names the tables use. They are notes for
//! readers (see [`registry`](super::registry)): `t`, the name, a tab and the type.

use super::registry::note;

macro_rules! types {
    ($($name:ident = $type:literal, $meaning:literal;)+) => {
        $(note! { concat!("t\t", stringify!($name), "\t", $type, "\0") })+

        /// Every name with its type and meaning, for tests and readers.
        #[cfg(not(target_arch = "wasm32"))]
        pub const TYPES: &[(&str, &str, &str)] = &[$((stringify!($name), $type, $meaning)),+];
    };
}

types! {
    LIKE = "ArrayLike", "An array, a tracer, or a plain number or boolean.";
    NESTED = "NestedArrayLike", "An array or a nested list of numbers.";
    LIKES = "readonly ArrayLike[]", "Several arrays.";
    SEQUENCE = "readonly NestedArrayLike[] | ArrayLike", "Several arrays, or one whose rows are taken.";
    ARRAY = "Array", "An array given back.";
    ARRAYS = "Array[]", "Several arrays given back.";
    PAIR = "[Array, Array]", "Two arrays given back.";
    INT = "number", "One axis.";
    AXIS = "number | null", "One axis or none.";
    AXES = "number | readonly number[] | null", "One axis, several, or all.";
    INTS = "number | readonly number[]", "Integers.";
    SHAPE = "number | readonly number[]", "Axis sizes.";
    OPT_SHAPE = "number | readonly number[] | null", "Axis sizes, or taken from elsewhere when null.";
    DTYPE = "DType", "The name of an element type.";
    OPT_DTYPE = "DType | null", "The name of an element type, or a default.";
    BOOL = "boolean", "A yes or no.";
    FLOAT = "number", "A plain number.";
    OPT_FLOAT = "number | null", "A plain number or none.";
    OPT_INT = "number | null", "A plain integer or none.";
    OPT_LIKE = "ArrayLike | null", "An array or none.";
    STRING = "string", "Text.";
    OPT_STRING = "string | null", "Text or none.";
    ORDER = "string | number | null", "Text or a number.";
    INDEX = "readonly Index[]", "Parts of an index.";
    ANY = "unknown", "Anything that may be given an index.";
    TYPED = "ArrayLike | DType", "Anything with a dtype.";
    WIDTHS = "number | readonly number[] | readonly (readonly number[])[]", "Padding widths.";
    DOT_DIMS = "readonly [readonly [readonly number[], readonly number[]], readonly [readonly number[], readonly number[]]]", "Dimension numbers of a general product.";
    OPERANDS = "readonly (string | ArrayLike)[]", "Einsum: subscripts, or operands.";
    INFO = "Record<string, number | string>", "Properties of a dtype.";
    PRODUCT_AXES = "number | readonly [number | readonly number[], number | readonly number[]]", "Axes in pairs for a product.";
    INTS_OUT = "number[]", "Integers given back.";
}
