//! Variables in stack frames, from the list of frames that instrumented functions keep.

use trace::abi::{Frame, FrameShape, VARIABLE_LENGTH};
use trace::layout::{Label, Region, RegionKind};

use super::containing;
use crate::thread;

/// A longer list is a broken one.
const LARGEST_DEPTH: usize = 1 << 20;
/// More variables than a function has.
const LARGEST_COUNT: u64 = 1 << 20;

/// The variable of the calling thread's stack that an address lies in.
pub(super) fn find(address: u64) -> Option<Region> {
    let bottom = thread::stack_pointer();
    if address < bottom {
        return None;
    }
    // SAFETY: the slots belong to this thread.
    let mut frame = unsafe { (*thread::slots()).frames };
    for _ in 0..LARGEST_DEPTH {
        if frame == 0 {
            return None;
        }
        // SAFETY: instrumented code links frames that lie in live stack memory; those below the stack pointer are
        // dead, but stack memory stays mapped.
        let outer = unsafe { (*(frame as *const Frame)).outer };
        if frame >= bottom {
            // SAFETY: as above; the frame is alive.
            if let Some(region) = unsafe { find_in(frame, address) } {
                return Some(region);
            }
            // Variables of outer frames lie above this frame.
            if frame > address {
                return None;
            }
        }
        if outer <= frame {
            return None;
        }
        frame = outer;
    }
    None
}

/// # Safety
/// `frame` is the address of a live [`Frame`].
unsafe fn find_in(frame: u64, address: u64) -> Option<Region> {
    // SAFETY: a frame is followed by as many addresses as its shape says, the shape by as many pairs.
    unsafe {
        let shape = (*(frame as *const Frame)).shape as *const FrameShape;
        if shape.is_null() || (*shape).count > LARGEST_COUNT {
            return None;
        }
        let addresses = (frame as *const Frame).add(1).cast::<u64>();
        let pairs = shape.add(1).cast::<[u64; 2]>();
        for index in 0..(*shape).count as usize {
            let [size, id] = pairs.add(index).read();
            let base = addresses.add(index).read();
            let (size, extent) = if size & VARIABLE_LENGTH == 0 {
                (size, 0)
            } else {
                let [size, label] = array_size(frame, size).read();
                (if base == 0 { 0 } else { size }, label as Label)
            };
            if let Some(region) = containing(address, base, size, RegionKind::Stack, id) {
                return Some(Region { extent, ..region });
            }
        }
    }
    None
}

/// Where the size of a variable-length array, and the label of that, are in its frame.
fn array_size(frame: u64, shape_size: u64) -> *mut [u64; 2] {
    (frame + (shape_size & !VARIABLE_LENGTH)) as *mut [u64; 2]
}

/// Labels the size of the variable-length array of the innermost frame that starts at an address; whether there is one.
pub(super) fn label_array(address: u64, label: Label) -> bool {
    // SAFETY: the slots belong to this thread, and the frame is the one of the function that calls; as in `find_in`.
    unsafe {
        let frame = (*thread::slots()).frames;
        if frame == 0 || (*(frame as *const Frame)).shape == 0 {
            return false;
        }
        let shape = (*(frame as *const Frame)).shape as *const FrameShape;
        let addresses = (frame as *const Frame).add(1).cast::<u64>();
        let pairs = shape.add(1).cast::<[u64; 2]>();
        for index in 0..(*shape).count.min(LARGEST_COUNT) as usize {
            let [size, _] = pairs.add(index).read();
            if size & VARIABLE_LENGTH != 0 && addresses.add(index).read() == address {
                (*array_size(frame, size))[1] = label.into();
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_variables_of_live_frames_only() {
        #[repr(C)]
        struct Shape([u64; 5]);
        #[repr(C)]
        struct Linked {
            frame: Frame,
            addresses: [u64; 2],
            variables: [u8; 64],
        }
        let shape = Shape([2, 16, 7, 8, 9]);
        let mut outer = Linked {
            frame: Frame { outer: 0, shape: (&raw const shape) as u64 },
            addresses: [0; 2],
            variables: [0; 64],
        };
        outer.addresses = [(&raw const outer.variables) as u64, (&raw const outer.variables) as u64 + 32];
        // SAFETY: the slots belong to this thread; the frame outlives the look-ups.
        unsafe { (*thread::slots()).frames = (&raw const outer) as u64 };
        let base = outer.addresses[0];
        assert_eq!(find(base + 15).map(|region| region.id), Some(7));
        assert_eq!(find(base + 16), None);
        assert_eq!(find(base + 39).map(|region| (region.id, region.base)), Some((9, base + 32)));
        assert_eq!(find(64), None);
        // SAFETY: as above.
        unsafe { (*thread::slots()).frames = 0 };
    }
}
