//! Named passes from jaxpr to jaxpr. A pass never changes what a program computes or shows.

pub mod dce;
