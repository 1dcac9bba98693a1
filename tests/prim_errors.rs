//! Operands that do not fit an element-wise primitive are refused with the class and the sentence of
//! JAX 0.10.2. (JAX lists accepted dtypes in no fixed order; here the order is fixed.)

use cotangent::aval::Aval;
use cotangent::dtype::DType;
use cotangent::prim::power::IntegerPow;
use cotangent::prim::roll::roll;
use cotangent::prim::rule::Op;
use std::rc::Rc;

fn aval(text: &str) -> Aval {
    let (dtype, dims) = text.trim_end_matches(']').split_once('[').expect("a type");
    let dtype = DType::ALL.into_iter().find(|d| d.short() == dtype);
    let dims: Vec<usize> = dims.split(',').filter_map(|d| d.parse().ok()).collect();
    Aval::new(&dims, dtype.unwrap_or(DType::Float0))
}

const CASES: &[(&str, &str, &str)] = &[
    (
        "sin",
        "i32[3]",
        "sin does not accept dtype int32. Accepted dtypes are subtypes of floating, complexfloating.",
    ),
    (
        "neg",
        "bool[3]",
        "neg does not accept dtype bool. Accepted dtypes are subtypes of integer, floating, complexfloating.",
    ),
    (
        "not",
        "f32[3]",
        "not does not accept dtype float32. Accepted dtypes are subtypes of integer, bool.",
    ),
    (
        "abs",
        "u32[3]",
        "abs does not accept dtype uint32. Accepted dtypes are subtypes of signedinteger, floating, complexfloating.",
    ),
    (
        "population_count",
        "f32[3]",
        "population_count does not accept dtype float32. Accepted dtypes are subtypes of integer.",
    ),
    (
        "is_finite",
        "i32[3]",
        "is_finite does not accept dtype int32. Accepted dtypes are subtypes of floating.",
    ),
    (
        "lgamma",
        "i32[3]",
        "lgamma does not accept dtype int32. Accepted dtypes are subtypes of floating.",
    ),
    (
        "round",
        "i32[3]",
        "round does not accept dtype int32. Accepted dtypes are subtypes of floating.",
    ),
    (
        "integer_pow",
        "i32[3]",
        "Integers cannot be raised to negative powers, got integer_pow(int32[3], -1)",
    ),
    (
        "add",
        "f32[3] i32[3]",
        "lax.add requires arguments to have the same dtypes, got float32, int32. (Tip: jnp.add is a similar function that does automatic type promotion on inputs).",
    ),
    (
        "max",
        "bool[3] i32[3]",
        "lax.max requires arguments to have the same dtypes, got bool, int32. (Tip: jnp.maximum is a similar function that does automatic type promotion on inputs).",
    ),
    (
        "eq",
        "f32[3] i32[3]",
        "lax.eq requires arguments to have the same dtypes, got float32, int32. (Tip: jnp.equal is a similar function that does automatic type promotion on inputs).",
    ),
    (
        "lt",
        "f32[3] i32[3]",
        "lax.lt requires arguments to have the same dtypes, got float32, int32.",
    ),
    (
        "add",
        "bool[3] bool[3]",
        "add does not accept dtype bool at position 0. Accepted dtypes at position 0 are subtypes of integer, floating, complexfloating.",
    ),
    (
        "rem",
        "bool[3] bool[3]",
        "rem does not accept dtype bool at position 0. Accepted dtypes at position 0 are subtypes of integer, floating.",
    ),
    (
        "shift_left",
        "i32[3] f32[3]",
        "shift_left does not accept dtype float32 at position 1. Accepted dtypes at position 1 are subtypes of integer.",
    ),
    (
        "nextafter",
        "f32[3] i32[3]",
        "nextafter does not accept dtype int32 at position 1. Accepted dtypes at position 1 are subtypes of floating.",
    ),
    (
        "pow",
        "i32[3] i32[3]",
        "pow does not accept dtype int32 at position 0. Accepted dtypes at position 0 are subtypes of floating, complexfloating.",
    ),
    (
        "add",
        "f32[2,3] f32[3]",
        "add: arrays must have the same number of dimensions, got {1, 2}",
    ),
    (
        "add",
        "f32[2,3] f32[2,4]",
        "add got incompatible shapes for broadcasting: (2, 3), (2, 4).",
    ),
    (
        "clamp",
        "f32[2] f32[3] f32[3]",
        "clamp requires min.shape == operand.shape or min.shape == (), got min.shape=(2,), operand.shape=(3,).",
    ),
    (
        "clamp",
        "f32[] f32[3] i32[]",
        "lax.clamp requires arguments to have the same dtypes, got float32, float32, int32.",
    ),
    (
        "select_n",
        "f32[3] f32[3] f32[3]",
        "select `which` must be boolean or integer type, got float32.",
    ),
    (
        "select_n",
        "bool[3] f32[3] f32[3] f32[3]",
        "select with boolean `which` cannot have > 2 cases.",
    ),
    (
        "select_n",
        "bool[3] f32[3] i32[3]",
        "lax.select requires arguments to have the same dtypes, got float32, int32. (Tip: jnp.where is a similar function that does automatic type promotion on inputs).",
    ),
    (
        "select_n",
        "bool[2] f32[3] f32[3]",
        "select `which` must be scalar or have the same shape as cases, got `which` shape (2,) but case shape (3,).",
    ),
    (
        "select_n",
        "bool[3] f32[3] f32[2]",
        "select cases must have the same shapes, got [(3,), (2,)].",
    ),
];

#[test]
fn operands_that_do_not_fit_are_refused_in_jaxs_words() {
    for (name, types, want) in CASES {
        let op: Op = match *name {
            "integer_pow" => Rc::new(IntegerPow { y: -1 }),
            _ => {
                let entry = roll().into_iter().find(|e| e.name == *name);
                let example = entry.and_then(|e| e.examples.into_iter().next());
                example.expect("on the roll").op
            }
        };
        let avals: Vec<Aval> = types.split(' ').map(aval).collect();
        let refs: Vec<&Aval> = avals.iter().collect();
        let e = op.abstract_eval(&refs).expect_err(name);
        assert_eq!((e.class.name(), e.message.as_str()), ("TypeError", *want));
    }
}

#[test]
fn float0_is_refused_with_the_advice_jax_gives() {
    let sin = roll()
        .into_iter()
        .find(|e| e.name == "sin")
        .expect("on the roll");
    let e = sin.examples[0].op.abstract_eval(&[&aval("float0[3]")]);
    let e = e.expect_err("float0 has no sine");
    assert!(
        e.message
            .starts_with("Called sin with a float0 array. float0s do not support any")
    );
}
