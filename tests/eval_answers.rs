//! What element-wise primitives compute on edge inputs is what JAX computes: NaN, infinities, signed
//! zeros, division by zero, shifts beyond the width, saturation. `eval_answers.txt` holds JAX's answers;
//! `eval_answers.py` records them.

use cotangent::array::{Array, ArrayMut};
use cotangent::aval::Aval;
use cotangent::dtype::DType::{self, Bool, F32, F64, Float0, I32, Key, U32};
use cotangent::interp::eval::eval_ctx;
use cotangent::prim::convert::ConvertElementType;
use cotangent::prim::power::IntegerPow;
use cotangent::prim::roll::roll;
use cotangent::prim::rounding::{Round, RoundingMethod};
use cotangent::prim::rule::{Env, Op};
use cotangent::value::Value;
use std::collections::HashMap;
use std::rc::Rc;

const ANSWERS: &str = include_str!("eval_answers.txt");

/// Where we differ from JAX's answer on purpose: primitive, dtype, operands, with the reason.
const DIFFERENT: &[(&str, &str, &str, &str)] = &[
    (
        "asin",
        "float32",
        "0.00000000000000000000000000000000000001199999978106707",
        FLUSHED,
    ),
    ("lgamma", "float32", "1", COARSE),
    ("lgamma", "float32", "0.8999999761581421", COARSE),
    ("lgamma", "float32", "1.9999998807907104", COARSE),
    ("lgamma", "float64", "1.9999999", COARSE),
];
const FLUSHED: &str = "XLA flushes a subnormal on the way; the right answer is x itself";
const COARSE: &str = "XLA's lgamma loses digits near its zeros; ours keeps them";

fn op(name: &str, known: &HashMap<&str, Op>) -> Op {
    let (name, param) = name.split_once(':').unwrap_or((name, ""));
    match name {
        "round" => Rc::new(Round {
            rounding_method: match param {
                "0" => RoundingMethod::AwayFromZero,
                _ => RoundingMethod::ToNearestEven,
            },
        }),
        "integer_pow" => Rc::new(IntegerPow {
            y: param.parse().expect("an exponent"),
        }),
        "convert" => Rc::new(ConvertElementType {
            new_dtype: dtype(param),
            weak_type: false,
        }),
        _ => Rc::clone(known.get(name).expect("a primitive on the roll")),
    }
}

fn dtype(name: &str) -> DType {
    DType::parse(name, true).expect("a dtype")
}

fn array(dtype: DType, text: &str) -> Array {
    let texts: Vec<&str> = text.split_whitespace().collect();
    let mut out = ArrayMut::uninit(Aval::new(&[texts.len()], dtype)).expect("memory");
    for (i, t) in texts.iter().enumerate() {
        match dtype {
            Bool => out.slice_mut::<u8>()[i] = t.parse().expect("a bool"),
            I32 => out.slice_mut::<i32>()[i] = t.parse().expect("an int"),
            U32 => out.slice_mut::<u32>()[i] = t.parse().expect("an unsigned int"),
            F32 => out.slice_mut::<f32>()[i] = t.parse().expect("a float"),
            F64 => out.slice_mut::<f64>()[i] = t.parse().expect("a double"),
            Float0 | Key => {}
        }
    }
    out.freeze()
}

fn operand(default: DType, text: &str) -> Array {
    match text.split_once(": ") {
        Some((name, elements)) => array(dtype(name.trim()), elements),
        None => array(default, text),
    }
}

/// Equal but for rounding: of the last digits in single precision, where JAX rounds too. Subnormal
/// numbers count as zero, because XLA flushes them.
fn agree(got: f64, want: f64, dtype: DType) -> bool {
    let (relative, tiny) = match dtype {
        F32 => (4e-6, f64::from(f32::MIN_POSITIVE)),
        F64 => (1e-12, f64::MIN_POSITIVE),
        _ => (0.0, 0.0),
    };
    if got.is_nan() || want.is_nan() {
        return got.is_nan() && want.is_nan();
    }
    if got == want {
        return got != 0.0 || got.is_sign_positive() == want.is_sign_positive();
    }
    (got - want).abs() <= relative * want.abs() || (got.abs() < tiny && want.abs() < tiny)
}

#[test]
fn edge_inputs_give_what_jax_gives() {
    let known: HashMap<&str, Op> = roll()
        .into_iter()
        .map(|e| (e.name, Rc::clone(&e.examples[0].op)))
        .collect();
    let cx = eval_ctx(Rc::new(Env::default()));
    let (mut faults, mut count) = (Vec::new(), 0);
    for line in ANSWERS.lines() {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[name, kind, operands, out, results] = &fields[..] else {
            panic!("a line has five fields: {line}");
        };
        let args: Vec<Array> = operands
            .split(';')
            .map(|t| operand(dtype(kind), t.trim()))
            .collect();
        let values: Vec<Value> = args.iter().cloned().map(Value::from).collect();
        let got = match cx.bind1(&*op(name, &known), &values) {
            Ok(got) => got.as_array().expect("evaluated").clone(),
            Err(e) => {
                faults.push(format!("{name} {kind}: {e}"));
                continue;
            }
        };
        let want = array(dtype(out), results);
        if got.aval() != want.aval() {
            faults.push(format!(
                "{name} {kind}: {} instead of {}",
                got.aval(),
                want.aval()
            ));
            continue;
        }
        for i in 0..want.numel() {
            count += 1;
            let (g, w) = (got.number_at(i), want.number_at(i));
            let at: Vec<String> = args.iter().map(|a| a.number_at(i).to_string()).collect();
            let at = at.join(" ");
            let excused = DIFFERENT
                .iter()
                .any(|(n, k, a, _)| *n == name && *k == kind && *a == at);
            if !agree(g, w, want.dtype()) && !excused {
                faults.push(format!("{name} {kind} of {at}: {g}, JAX gives {w}"));
            }
        }
    }
    assert!(count > 8_000, "only {count} answers were read");
    assert!(
        faults.is_empty(),
        "{} differ:\n{}",
        faults.len(),
        faults.join("\n")
    );
}
