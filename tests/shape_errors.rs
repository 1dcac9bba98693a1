//! Operands that do not fit a primitive that is not element-wise are refused with the class and the
//! sentence of JAX 0.10.2.

use cotangent::aval::Aval;
use cotangent::dtype::DType;
use cotangent::kernel::{ArgFn, ReduceFn, ScanFn};
use cotangent::prim::arg::ArgReduce;
use cotangent::prim::cumulative::Cumulative;
use cotangent::prim::dot::{DotDims, DotGeneral};
use cotangent::prim::dynamic::{DynamicSlice, DynamicUpdateSlice};
use cotangent::prim::gather::Gather;
use cotangent::prim::iota::Iota;
use cotangent::prim::joining::{Concatenate, Split, Stack, Tile};
use cotangent::prim::movement::{BroadcastInDim, Reshape, Rev, Squeeze, Transpose};
use cotangent::prim::reduce::Reduce;
use cotangent::prim::rule::Primitive;
use cotangent::prim::scatter::{Scatter, ScatterDims, Update};
use cotangent::prim::slicing::{Pad, Slice};
use cotangent::prim::sort::{Sort, TopK};
use cotangent::runtime::index::{GatherDims, Mode};
use cotangent::shape::Shape;

fn aval(text: &str) -> Aval {
    let (dtype, dims) = text.trim_end_matches(']').split_once('[').expect("a type");
    let dtype = DType::ALL.into_iter().find(|d| d.short() == dtype);
    let dims: Vec<usize> = dims.split(',').filter_map(|d| d.parse().ok()).collect();
    Aval::new(&dims, dtype.expect("a dtype"))
}

/// The primitive refuses operands of these types with this class and sentence.
fn refuses(op: impl Primitive + std::fmt::Debug, operands: &str, want: &str) {
    let avals: Vec<Aval> = operands.split_whitespace().map(aval).collect();
    let avals: Vec<&Aval> = avals.iter().collect();
    match op.abstract_eval(&avals) {
        Ok(out) => panic!("{op:?} took {operands} and gave {out:?}"),
        Err(e) => assert_eq!(e.to_string(), want, "{op:?} of {operands}"),
    }
}

fn d(dims: &[usize]) -> Shape {
    Shape::from_slice(dims)
}

#[test]
fn moving_elements() {
    let transpose = |p: &[usize]| Transpose { permutation: d(p) };
    refuses(
        transpose(&[0, 1]),
        "f32[2,3,4]",
        "TypeError: transpose permutation isn't a permutation of operand dimensions, got permutation (0, 1) for operand shape (2, 3, 4).",
    );
    refuses(
        transpose(&[0, 1, 1]),
        "f32[2,3,4]",
        "TypeError: transpose permutation isn't a permutation of operand dimensions, got permutation (0, 1, 1) for operand shape (2, 3, 4).",
    );
    let squeeze = |x: &[usize]| Squeeze { dimensions: d(x) };
    refuses(
        squeeze(&[0]),
        "f32[2,3]",
        "ValueError: cannot select an axis to squeeze out which has size not equal to one, got shape=(2, 3) and dimensions=(0,)",
    );
    refuses(
        squeeze(&[5]),
        "f32[2,3]",
        "ValueError: axis 5 is out of bounds for array of dimension 2",
    );
    refuses(
        squeeze(&[0, 0]),
        "f32[1,1]",
        "ValueError: dimensions are not unique: (0, 0)",
    );
    let rev = |x: &[usize]| Rev { dimensions: d(x) };
    refuses(
        rev(&[0, 0]),
        "f32[2,3]",
        "TypeError: rev dimensions must be unique, got (0, 0).",
    );
    refuses(
        rev(&[2]),
        "f32[2,3]",
        "TypeError: rev dimensions must all be less than operand ndim, got dimensions (2,) for operand ndim 2.",
    );
    refuses(
        Reshape {
            new_sizes: d(&[4, 2]),
        },
        "f32[6]",
        "TypeError: cannot reshape array of shape (6,) (size 6) into shape (4, 2) (size 8)",
    );
    let broadcast = |shape: &[usize], dims: &[usize]| BroadcastInDim {
        shape: d(shape),
        broadcast_dimensions: d(dims),
    };
    refuses(
        broadcast(&[2, 4], &[0, 1]),
        "f32[2,3]",
        "TypeError: broadcast_in_dim operand dimension sizes must either be 1, or be equal to their corresponding dimensions in the target broadcast shape; got operand of shape (2, 3), target broadcast shape (2, 4), broadcast_dimensions (0, 1) ",
    );
    refuses(
        broadcast(&[2, 3], &[0]),
        "f32[2,3]",
        "TypeError: broadcast_in_dim broadcast_dimensions must have length equal to operand ndim; got broadcast_dimensions (0,) for operand ndim 2.",
    );
    refuses(
        broadcast(&[2, 3], &[0, 2]),
        "f32[2,3]",
        "TypeError: broadcast_in_dim broadcast_dimensions must be a subset of output dimensions, got (0, 2) for operand ndim 2 and shape (2, 3).",
    );
    refuses(
        broadcast(&[3], &[0, 1]),
        "f32[2,3]",
        "TypeError: broadcast_in_dim target broadcast shape must have equal or higher rank to the operand shape; got operand ndim 2 and target broadcast ndim 1.",
    );
    let iota = |dtype, dimension| Iota {
        dtype,
        shape: d(&[2, 3]),
        dimension,
    };
    refuses(
        iota(DType::I32, 2),
        "",
        "ValueError: iota dimension must be between 0 and len(shape), got dimension=2 for shape=(2, 3)",
    );
    refuses(
        iota(DType::Bool, 0),
        "",
        "TypeError: iota does not accept dtype bool. Accepted dtypes are subtypes of integer, floating, complexfloating.",
    );
}

#[test]
fn cutting_and_joining() {
    let slice = |from: &[usize], to: &[usize], by: Option<&[usize]>| Slice {
        start_indices: d(from),
        limit_indices: d(to),
        strides: by.map(d),
    };
    refuses(
        slice(&[0, 0], &[3, 3], None),
        "f32[2,3]",
        "TypeError: slice slice_sizes must be less than or equal to operand shape, got slice_sizes (3, 3) for operand shape (2, 3).",
    );
    refuses(
        slice(&[1, 0], &[0, 3], None),
        "f32[2,3]",
        "TypeError: slice slice_sizes must be greater than or equal to zero, got slice_sizes of (-1, 3).",
    );
    refuses(
        slice(&[0, 0], &[1, 3], Some(&[1])),
        "f32[2,3]",
        "TypeError: slice strides must have length equal to the number of dimensions of the operand, got strides (1,) for operand shape (2, 3).",
    );
    let pad = |c: &[(isize, isize, isize)]| Pad {
        padding_config: c.to_vec(),
    };
    let none = &[(0, 0, 0), (0, 0, 0)];
    refuses(
        pad(none),
        "f32[2,3] i32[]",
        "TypeError: pad operand and padding_value must be same dtype: got float32 and int32.",
    );
    refuses(
        pad(&none[..1]),
        "f32[2,3] f32[]",
        "ValueError: length of padding_config must equal the number of axes of operand, got padding_config ((0, 0, 0),) for operand shape (2, 3)",
    );
    refuses(
        pad(none),
        "f32[2,3] f32[4]",
        "ValueError: padding_value must be a scalar; got np.shape(padding_value)=(4,)",
    );
    refuses(
        pad(&[(0, 0, -1), (0, 0, 0)]),
        "f32[2,3] f32[]",
        "ValueError: interior padding in padding_config must be nonnegative, got padding_config ((0, 0, -1), (0, 0, 0))",
    );
    refuses(
        pad(&[(-3, 0, 0), (0, 0, 0)]),
        "f32[2,3] f32[]",
        "ValueError: Dimension size after padding is not at least 0, got result shape (-1, 3), for padding_config ((-3, 0, 0), (0, 0, 0)) and operand shape (2, 3)",
    );
    let join = |dimension| Concatenate { dimension };
    refuses(
        join(2),
        "f32[2,3] f32[2,3]",
        "TypeError: concatenate dimension out of bounds: dimension 2 for shapes (2, 3), (2, 3).",
    );
    refuses(
        join(0),
        "f32[2,3] f32[4]",
        "TypeError: Cannot concatenate arrays with different numbers of dimensions: got (2, 3), (4,).",
    );
    refuses(
        join(0),
        "f32[2,3] f32[2,4]",
        "TypeError: Cannot concatenate arrays with shapes that differ in dimensions other than the one being concatenated: concatenating along dimension 0 for shapes (2, 3), (2, 4).",
    );
    refuses(
        join(0),
        "f32[2,3] i32[2,3]",
        "TypeError: lax.concatenate requires arguments to have the same dtypes, got float32, int32. (Tip: jnp.concatenate is a similar function that does automatic type promotion on inputs).",
    );
    refuses(
        join(0),
        "",
        "ValueError: concatenate requires a non-empty sequences of arrays",
    );
    let split = |sizes: &[usize], axis| Split {
        sizes: d(sizes),
        axis,
    };
    refuses(
        split(&[1, 1], 1),
        "f32[2,3]",
        "ValueError: Sum of sizes 2 must be equal to dimension 1 of the operand shape [2, 3]",
    );
    refuses(
        split(&[1, 1], 2),
        "f32[2,3]",
        "ValueError: axis 2 is out of bounds for array of dimension 2",
    );
    refuses(
        Stack { axis: 0 },
        "f32[2,3] f32[4]",
        "ValueError: Cannot stack arrays with different numbers of dimensions: got (2, 3), (4,).",
    );
    refuses(
        Stack { axis: 0 },
        "f32[2] f32[3]",
        "ValueError: All input arrays must have the same shape. Got (2,), (3,).",
    );
    refuses(
        Tile { reps: d(&[1]) },
        "f32[2,3]",
        "TypeError: reps length must be equal to the ndim of x, got len(reps)=1 and x.ndim=2.",
    );
    let read = |sizes: &[usize]| DynamicSlice {
        slice_sizes: d(sizes),
    };
    refuses(
        read(&[3, 1]),
        "f32[2,3] i32[] i32[]",
        "TypeError: slice slice_sizes must be less than or equal to operand shape, got slice_sizes (3, 1) for operand shape (2, 3).",
    );
    refuses(
        read(&[1]),
        "f32[2,3] i32[]",
        "ValueError: Length of slice indices must match number of operand dimensions (1 vs (2, 3))",
    );
    refuses(
        read(&[1, 1]),
        "f32[2,3] f32[] i32[]",
        "TypeError: index arguments to dynamic_slice must be integers of the same type, got: float32, int32",
    );
    refuses(
        read(&[1, 1]),
        "f32[2,3] i32[4] i32[]",
        "TypeError: start_indices arguments to dynamic_slice must be scalars,  got indices (ShapedArray(int32[4]), ShapedArray(int32[]))",
    );
    refuses(
        DynamicUpdateSlice,
        "f32[2,3] f32[4] i32[] i32[]",
        "TypeError: dynamic_update_slice update must have the same rank as operand, got update shape (4,) for operand shape (2, 3).",
    );
    refuses(
        DynamicUpdateSlice,
        "f32[2,3] f32[3,1] i32[] i32[]",
        "TypeError: dynamic_update_slice update shape must be smaller than operand shape, got update shape (3, 1) for operand shape (2, 3).",
    );
    refuses(
        DynamicUpdateSlice,
        "f32[2,3] i32[1,1] i32[] i32[]",
        "TypeError: lax.dynamic_update_slice requires arguments to have the same dtypes, got float32, int32.",
    );
    refuses(
        DynamicUpdateSlice,
        "f32[2,3] f32[1,1] f32[] i32[]",
        "TypeError: index arguments to dynamic_update_slice must be integers of the same type, got float32, int32",
    );
}

#[test]
fn folding_and_sorting() {
    let fold = |fold, axes: &[usize]| Reduce {
        fold,
        axes: d(axes),
    };
    refuses(
        fold(ReduceFn::Sum, &[2]),
        "f32[2,3]",
        "ValueError: reduction axes (2,) contains out-of-bounds indices for float32[2,3].",
    );
    refuses(
        fold(ReduceFn::Max, &[0, 0]),
        "f32[2,3]",
        "ValueError: duplicate value in 'axes' of reduction: (0, 0)",
    );
    refuses(
        fold(ReduceFn::Sum, &[0]),
        "bool[2,3]",
        "TypeError: reduce_sum does not accept dtype bool. Accepted dtypes are subtypes of number.",
    );
    refuses(
        fold(ReduceFn::And, &[0]),
        "f32[2,3]",
        "TypeError: logical reduction requires operand dtype bool or int, got float32.",
    );
    let find = |axis, index_dtype| ArgReduce {
        which: ArgFn::Max,
        axis,
        index_dtype,
    };
    refuses(
        find(1, DType::I32),
        "f32[2,0]",
        "ValueError: argmin and argmax require non-empty reduced dimension. operand.shape=(2, 0) axis=1",
    );
    refuses(
        find(2, DType::I32),
        "f32[2,3]",
        "ValueError: Invalid axis 2 for operand shape (2, 3)",
    );
    refuses(
        find(1, DType::F32),
        "f32[2,3]",
        "TypeError: index_dtype must be an integer type, but got float32",
    );
    let total = |total, axis| Cumulative {
        total,
        axis,
        reverse: false,
    };
    refuses(
        total(ScanFn::Sum, 2),
        "f32[2,3]",
        "ValueError: axis 2 is out of bounds for array of shape (2, 3)",
    );
    refuses(
        total(ScanFn::Sum, 0),
        "bool[2,3]",
        "TypeError: cumsum does not accept dtype bool. Accepted dtypes are subtypes of number.",
    );
    let sort = |dimension, num_keys| Sort {
        dimension,
        is_stable: true,
        num_keys,
    };
    refuses(
        sort(2, 1),
        "f32[2,3]",
        "ValueError: axis 2 is out of bounds for array of dimension 2",
    );
    refuses(
        sort(0, 1),
        "f32[2,3] f32[4]",
        "TypeError: Arguments to sort must have equal shapes, got: (2, 3) (4,)",
    );
    refuses(
        sort(0, 1),
        "",
        "TypeError: Sort requires at least one operand",
    );
    refuses(
        sort(0, 3),
        "f32[2] f32[2]",
        "ValueError: num_keys=3 must be between 1 and len(operand)=2",
    );
    refuses(
        TopK { k: 5, axis: 1 },
        "f32[2,3]",
        "ValueError: k argument to top_k must be no larger than size along axis; got k=5 with shape=[2, 3] and axis=1",
    );
}

#[test]
fn products() {
    let dot = |contract: [&[usize]; 2], batch: [&[usize]; 2]| DotGeneral {
        dims: DotDims {
            lhs_contract: d(contract[0]),
            rhs_contract: d(contract[1]),
            lhs_batch: d(batch[0]),
            rhs_batch: d(batch[1]),
        },
        preferred_element_type: None,
    };
    let none: [&[usize]; 2] = [&[], &[]];
    refuses(
        dot([&[1], &[0]], none),
        "f32[2,3] f32[2,3]",
        "TypeError: dot_general requires contracting dimensions to have the same shape, got (3,) and (2,).",
    );
    refuses(
        dot([&[0, 1], &[0]], none),
        "f32[2,3] f32[2,3]",
        "TypeError: dot_general requires contracting dimensions to have the same shape, got (2, 3) and (2,).",
    );
    refuses(
        dot([&[2], &[2]], [&[0], &[]]),
        "f32[2,3,4] f32[2,3,4]",
        "TypeError: dot_general requires equal numbers of lhs_batch and rhs_batch dimensions, got lhs_batch (0,) and rhs_batch ().",
    );
    refuses(
        dot([&[2], &[1]], [&[0], &[0]]),
        "f32[2,3,4] f32[3,4]",
        "TypeError: dot_general requires lhs batch dimensions and rhs batch dimensions to have the same shape, got (2,) and (3,).",
    );
    refuses(
        dot([&[2], &[0]], none),
        "f32[2,3] f32[2,3]",
        "TypeError: dot_general requires lhs dimension numbers to be nonnegative and less than the number of axes of the lhs value, got lhs_batch of () and lhs_contracting of (2,) for lhs of rank 2",
    );
    refuses(
        dot([&[0], &[0]], [&[0], &[0]]),
        "f32[2,3] f32[2,3]",
        "TypeError: dot_general requires lhs batch dimensions to be disjoint from contracting dimensions, got lhs_batch (0,) and lhs_contracting (0,).",
    );
    refuses(
        dot([&[0, 0], &[0, 0]], none),
        "f32[2,3] f32[2,3]",
        "TypeError: dot_general requires lhs contracting dimensions to be distinct, got lhs_contracting (0, 0).",
    );
}

#[test]
fn reading_at_computed_places() {
    let gather = |offset: &[usize],
                  collapsed: &[usize],
                  map: &[usize],
                  batching: [&[usize]; 2],
                  sizes: &[usize]| {
        let dims = GatherDims {
            offset_dims: d(offset),
            collapsed_slice_dims: d(collapsed),
            start_index_map: d(map),
            operand_batching_dims: d(batching[0]),
            indices_batching_dims: d(batching[1]),
        };
        Gather::new(dims, sizes, Mode::Clip)
    };
    let none: [&[usize]; 2] = [&[], &[]];
    refuses(
        gather(&[], &[0], &[0], none, &[1]),
        "f32[4] f32[2,1]",
        "ValueError: indices must have an integer type",
    );
    refuses(
        gather(&[], &[0], &[0, 1], none, &[1]),
        "f32[4] i32[2,1]",
        "TypeError: Gather op has 2 elements in start_index_map and the bound of dimension index_vector_dim=1 of indices is 1. These two numbers must be equal.",
    );
    refuses(
        gather(&[], &[0], &[1], none, &[1]),
        "f32[4] i32[2,1]",
        "TypeError: Invalid start_index_map; domain is [0, 1), got: 0->1.",
    );
    refuses(
        gather(&[], &[0], &[0], none, &[1, 3]),
        "f32[2,3] i32[2,1]",
        "TypeError: All components of the offset index in a gather op must either be a offset dimension or explicitly collapsed/batching; got len(slice_sizes)=2, output_slice_sizes=(), collapsed_slice_dims=(0,), operand_batching_dims=().",
    );
    refuses(
        gather(&[], &[0], &[0], none, &[5]),
        "f32[4] i32[2,1]",
        "TypeError: Slice size at index 0 in gather op is out of range, must be within [0, 4 + 1), got 5.",
    );
    refuses(
        gather(&[], &[0], &[0], none, &[1, 1]),
        "f32[4] i32[2,1]",
        "TypeError: Gather op must have one slice size for every input dimension; got: len(slice_sizes)=2, input_shape.rank=1",
    );
    refuses(
        gather(&[], &[0], &[0], none, &[2]),
        "f32[4] i32[2,1]",
        "TypeError: Gather op can only collapse slice dims with bound 1, but bound is 2 for index 0 at position 0.",
    );
    refuses(
        gather(&[], &[1, 0], &[0], none, &[1, 1]),
        "f32[2,3] i32[2,1]",
        "TypeError: collapsed_slice_dims in gather op must be sorted; got (1, 0)",
    );
    refuses(
        gather(&[2, 1], &[0], &[0], none, &[1, 3, 4]),
        "f32[2,3,4] i32[2,1]",
        "TypeError: offset_dims in gather op must be sorted; got (2, 1)",
    );
    refuses(
        gather(&[2], &[0], &[0], none, &[1, 3]),
        "f32[2,3] i32[2,1]",
        "TypeError: Offset dimension 0 in gather op is out of bounds; got 2, but should have been in [0, 2)",
    );
    refuses(
        gather(&[], &[1], &[1], [&[0], &[]], &[1, 1]),
        "f32[2,3] i32[2,1]",
        "TypeError: Gather op requires equal numbers of operand_batching_dims and start_indices_batching_dims, got (0,) and().",
    );
    refuses(
        gather(&[], &[1], &[1], [&[0], &[0]], &[1, 1]),
        "f32[2,3] i32[3,1]",
        "TypeError: Gather op requires operand batching dimensions and indices batching dimensions to have the same shape, got (2,) and (3,).",
    );
    refuses(
        gather(&[], &[0], &[1], [&[0], &[0]], &[1, 1]),
        "f32[2,3] i32[2,1]",
        "TypeError: collapsed_slice_dims and operand_batching_dims in gather op must be disjoint; got: (0,) and (0,).",
    );
}

#[test]
fn writing_at_computed_places() {
    let scatter = |window: &[usize], inserted: &[usize], map: &[usize]| {
        let dims = ScatterDims {
            update_window_dims: d(window),
            inserted_window_dims: d(inserted),
            scatter_dims_to_operand_dims: d(map),
            ..ScatterDims::default()
        };
        Scatter::new(Update::Add, dims, Mode::FillOrDrop, DType::F32)
    };
    refuses(
        scatter(&[], &[0], &[0]),
        "f32[4] i32[2,1] f32[2,2]",
        "TypeError: Updates tensor must be of rank 1; got 2.",
    );
    refuses(
        scatter(&[], &[0], &[0]),
        "f32[4] i32[2,1] f32[3]",
        "TypeError: Bounds of the scatter dimensions of updates must be the same as the bounds of the corresponding dimensions of scatter indices. For scatter dimension 0, updates bound is 3, indices bound is 2.",
    );
    refuses(
        scatter(&[], &[0], &[0]),
        "f32[4] i32[2,1] i32[2]",
        "TypeError: lax.scatter requires arguments to have the same dtypes, got float32, int32.",
    );
    refuses(
        scatter(&[1], &[0], &[0]),
        "f32[2,3] i32[2,1] f32[2,4]",
        "TypeError: Bounds of the window dimensions of updates must not exceed the bounds of the corresponding dimensions of operand. For dimension 1, updates bound is 4, operand bound is 3.",
    );
    refuses(
        scatter(&[], &[0], &[0]),
        "f32[4] f32[2,1] f32[2]",
        "ValueError: indices must have an integer type",
    );
    refuses(
        scatter(&[], &[0], &[0, 1]),
        "f32[4] i32[2,1] f32[2]",
        "TypeError: Scatter op has 2 elements in scatter_dims_to_operand_dims and the bound of dimension index_vector_dim=1 of indices is 1. These two numbers must be equal",
    );
    refuses(
        scatter(&[], &[0], &[1]),
        "f32[4] i32[2,1] f32[2]",
        "TypeError: Invalid scatter_dims_to_operand_dims mapping; domain is [0, 1), got: 0->1.",
    );
    refuses(
        scatter(&[], &[1], &[0]),
        "f32[4] i32[2,1] f32[2]",
        "TypeError: Invalid inserted_window_dims set in scatter op; valid range is [0, 1); got: 1.",
    );
}
