//! Moving elements: what is copied and what is not.

use cotangent::array::Array;
use cotangent::interp::eval::eval_ctx;
use cotangent::prim::rule::{Ctx, Env};
use cotangent::value::Value;
use std::rc::Rc;

fn cx() -> Ctx {
    eval_ctx(Rc::new(Env::default()))
}

#[test]
fn storage_is_shared_where_elements_stay_in_place() {
    let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]).unwrap();
    let v = Value::from(x.clone());
    let cx = cx();
    for same in [
        cx.reshape(&v, &[4]),
        cx.expand_dims(&v, &[0, 2]),
        cx.squeeze(&cx.expand_dims(&v, &[1]).unwrap(), &[1]),
        cx.slice(&v, &[0, 0], &[2, 2], None),
        cx.transpose(&cx.reshape(&v, &[1, 4, 1]).unwrap(), &[2, 1, 0]),
        cx.reduce_max(&cx.reshape(&v, &[2, 1, 2]).unwrap(), &[1]),
    ] {
        assert!(same.unwrap().as_array().unwrap().same_storage(&x));
    }
}

#[test]
fn results_beyond_the_budget_are_refused_before_they_are_made() {
    let cx = cx();
    let one = Value::scalar(1.0, cotangent::dtype::DType::F32).unwrap();
    for huge in [
        cx.broadcast_in_dim(&one, &[100_000, 100_000], &[]),
        cx.iota(cotangent::dtype::DType::I32, &[1 << 40], 0),
        cx.pad(&cx.reshape(&one, &[1]).unwrap(), &one, &[(0, 1 << 40, 0)]),
    ] {
        let e = huge.expect_err("a refusal");
        assert_eq!(e.class.name(), "ResourceError", "{e}");
    }
}
