//! Variables of a thread. On wasm there is one thread, and the engine does without `std` and its `thread_local!`.

/// What stands in for a variable of a thread where there is one thread.
#[cfg(target_arch = "wasm32")]
pub(crate) struct Local<T>(T);

// SAFETY: wasm without its threads feature has one thread.
#[cfg(target_arch = "wasm32")]
unsafe impl<T> Sync for Local<T> {}

#[cfg(target_arch = "wasm32")]
impl<T> Local<T> {
    pub(crate) const fn new(value: T) -> Local<T> {
        Local(value)
    }

    /// Never fails; a thread's variables can be gone.
    pub(crate) fn try_with<R>(&'static self, body: impl FnOnce(&T) -> R) -> Result<R, ()> {
        Ok(body(&self.0))
    }

    pub(crate) fn with<R>(&'static self, body: impl FnOnce(&T) -> R) -> R {
        body(&self.0)
    }
}

#[cfg(target_arch = "wasm32")]
impl<T> Local<core::cell::RefCell<T>> {
    pub(crate) fn with_borrow<R>(&'static self, body: impl FnOnce(&T) -> R) -> R {
        body(&self.0.borrow())
    }

    pub(crate) fn with_borrow_mut<R>(&'static self, body: impl FnOnce(&mut T) -> R) -> R {
        body(&mut self.0.borrow_mut())
    }

    pub(crate) fn set(&'static self, value: T) {
        self.0.replace(value);
    }
}

/// A variable of the thread, made by a constant expression.
macro_rules! local {
    ($(#[$doc:meta])* static $name:ident: $t:ty = $value:expr;) => {
        #[cfg(target_arch = "wasm32")]
        $(#[$doc])*
        static $name: $crate::local::Local<$t> = $crate::local::Local::new($value);
        #[cfg(not(target_arch = "wasm32"))]
        std::thread_local! {
            $(#[$doc])*
            static $name: $t = const { $value };
        }
    };
}
