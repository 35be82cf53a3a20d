import CWebKitGTK
import Dispatch

// The main loop of a program with windows: GTK's loop, which also runs the jobs of Swift's main actor.
extension SurfaceWindow {
    /// The reason why the loop cannot run.
    public enum Failure: Error, Hashable, Sendable {
        /// There is no display: neither `WAYLAND_DISPLAY` nor `DISPLAY` names a display that can be opened.
        case noDisplay
    }

    /// Runs the loop until the body has ended. Call it once, from a `main` that is not `async`.
    ///
    /// - Throws: ``Failure`` when there is no display, and every error of the body.
    public static func run(_ body: @escaping @MainActor () async throws -> Void) throws {
        guard gtk_init_check() != 0 else { throw Failure.noDisplay }
        let loop = g_main_loop_new(nil, 0)
        let source = drainMainActor()
        var failure: (any Error)?
        // Ends with the body, for which the loop below waits.
        Task {
            do { try await body() } catch { failure = error }
            g_main_loop_quit(loop)
        }
        g_main_loop_run(loop)
        g_source_remove(source)
        g_main_loop_unref(loop)
        if let failure { throw failure }
    }

    /// Adds the main queue's file descriptor, which becomes readable when the main actor has work, to GTK's loop.
    /// Returns the id of the source.
    @discardableResult static func drainMainActor() -> guint {
        g_unix_fd_add(
            mainQueueDescriptor(), G_IO_IN,
            { descriptor, _, _ in
                var count = UInt64(0)
                _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
                drainMainQueue(nil)
                return 1
            }, nil)
    }
}

// libdispatch exports these two functions for loops that run its main queue, such as CoreFoundation's.
@_silgen_name("_dispatch_get_main_queue_handle_4CF")
private func mainQueueDescriptor() -> Int32

@_silgen_name("_dispatch_main_queue_callback_4CF")
private func drainMainQueue(_ message: UnsafeMutableRawPointer?)
