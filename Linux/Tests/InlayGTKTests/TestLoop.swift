import CWebKitGTK

@testable import InlayGTK

/// Runs GTK's main loop on the first thread, and the main actor in this loop.
///
/// At the end of an `async` main, Swift calls `dispatch_main` on the first thread. libdispatch's own function of this
/// name lets any idle thread run the main actor, and WebKit aborts when a second thread calls it.
@MainActor @_cdecl("dispatch_main") public func testLoop() -> Never {
    SurfaceWindow.drainMainActor()
    g_main_loop_run(g_main_loop_new(nil, 0))
    fatalError("GTK's loop has ended")
}
