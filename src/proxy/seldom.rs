//! The polling of a future that has nothing to say for most of its life, beside one that is polled
//! all the time: it is polled when it was woken, not whenever its task was.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

/// Polls one future as seldom as it can. It costs a look at one number of the task's own where the
/// future, polled, would lock what it shares with other threads.
#[derive(Debug)]
pub(super) struct Seldom<F> {
    future: F,
    bell: Arc<Bell>,
    /// The bell as the future knows it.
    waker: Waker,
    /// The task that the bell wakes, as it was last polled by.
    task: Waker,
}

/// Hears that the future is to be polled.
#[derive(Debug)]
struct Bell {
    has_rung: AtomicBool,
    task: Mutex<Waker>,
}

impl<F: Future + Unpin> Seldom<F> {
    /// Takes a future that was not polled yet: it will be once.
    pub(super) fn new(future: F) -> Self {
        let bell = Arc::new(Bell {
            has_rung: AtomicBool::new(true),
            task: Mutex::new(Waker::noop().clone()),
        });
        Self {
            future,
            waker: Waker::from(Arc::clone(&bell)),
            bell,
            task: Waker::noop().clone(),
        }
    }
}

impl<F: Future + Unpin> Future for Seldom<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        if !this.task.will_wake(cx.waker()) {
            this.task.clone_from(cx.waker());
            this.bell.set_task(cx.waker());
        }
        // After the task is known: whoever rings before that has left the mark, and wakes it after.
        let has_rung = this.bell.has_rung.load(Ordering::Acquire);
        if !has_rung || !this.bell.has_rung.swap(false, Ordering::AcqRel) {
            return Poll::Pending;
        }
        Pin::new(&mut this.future).poll(&mut Context::from_waker(&this.waker))
    }
}

impl Bell {
    fn set_task(&self, task: &Waker) {
        let mut known = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        known.clone_from(task);
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.has_rung.store(true, Ordering::Release);
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        task.wake_by_ref();
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::pin;
    use std::sync::atomic::AtomicUsize;

    use tokio::sync::oneshot;

    use super::*;

    #[derive(Debug, Default)]
    struct Count(AtomicUsize);

    impl Count {
        fn get(&self) -> usize {
            self.0.load(Ordering::Relaxed)
        }
    }

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_future_is_polled_once_and_then_when_it_was_woken() {
        let (send, mut receive) = oneshot::channel::<u8>();
        let polls = Count::default();
        let future = pin!(poll_fn(|cx| {
            polls.0.fetch_add(1, Ordering::Relaxed);
            Pin::new(&mut receive).poll(cx)
        }));
        let mut seldom = Seldom::new(future);
        let wakes = Arc::new(Count::default());
        let waker = Waker::from(Arc::clone(&wakes));
        let mut cx = Context::from_waker(&waker);
        for _ in 0..10 {
            assert!(Pin::new(&mut seldom).poll(&mut cx).is_pending());
        }
        assert_eq!((polls.get(), wakes.get()), (1, 0));
        send.send(7).unwrap();
        assert_eq!(wakes.get(), 1);
        assert_eq!(Pin::new(&mut seldom).poll(&mut cx), Poll::Ready(Ok(7)));
        assert_eq!(polls.get(), 2);
    }

    #[test]
    fn the_task_is_woken_that_polled_last() {
        let (send, receive) = oneshot::channel::<u8>();
        let mut seldom = Seldom::new(receive);
        let tasks = [Arc::new(Count::default()), Arc::new(Count::default())];
        for task in &tasks {
            let waker = Waker::from(Arc::clone(task));
            let mut cx = Context::from_waker(&waker);
            assert!(Pin::new(&mut seldom).poll(&mut cx).is_pending());
        }
        send.send(7).unwrap();
        assert_eq!(tasks.map(|task| task.get()), [0, 1]);
    }
}
