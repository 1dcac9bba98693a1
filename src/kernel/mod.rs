//! Kernels: functions on slices.
#![allow(missing_docs)]

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryFn {
    Neg,
    Abs,
    Sign,
    Floor,
    Ceil,
    RoundEven,
    RoundAwayFromZero,
    Exp,
    Exp2,
    Log,
    Log1p,
    Expm1,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Logistic,
    Sqrt,
    Rsqrt,
    Cbrt,
    Erf,
    Erfc,
    ErfInv,
    Lgamma,
    Digamma,
    Square,
    IntegerPow(i32),
    IsFinite,
    Not,
    PopulationCount,
}
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryFn {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Pow,
    Atan2,
    Max,
    Min,
    Nextafter,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRightLogical,
    ShiftRightArithmetic,
}
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompareFn {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

pub fn unary_f32(f: UnaryFn, x: &[f32], out: &mut [f32]) {
    for (o, &x) in out.iter_mut().zip(x) {
        *o = match f {
            UnaryFn::Neg => -x,
            UnaryFn::Sin => x.sin(),
            UnaryFn::Cos => x.cos(),
            UnaryFn::Exp => x.exp(),
            UnaryFn::Log => x.ln(),
            UnaryFn::Tanh => x.tanh(),
            UnaryFn::IntegerPow(n) => x.powi(n),
            _ => f32::NAN,
        };
    }
}
pub fn binary_f32(f: BinaryFn, x: f32, y: f32) -> f32 {
    match f {
        BinaryFn::Add => x + y,
        BinaryFn::Sub => x - y,
        BinaryFn::Mul => x * y,
        BinaryFn::Div => x / y,
        BinaryFn::Max => x.max(y),
        BinaryFn::Min => x.min(y),
        _ => f32::NAN,
    }
}
