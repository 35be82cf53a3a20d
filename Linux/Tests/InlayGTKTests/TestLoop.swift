import CWebKitGTK

@testable import InlayGTK

/// The main loop of this program of tests: GTK's, which also runs the main actor, all on the first thread.
///
/// Swift ends the first thread's part in an `async` main with a call of libdispatch's function of this name. That one
/// leaves the main actor to whichever thread is idle, and WebKit aborts when a second thread calls it.
@MainActor @_cdecl("dispatch_main") public func testLoop() -> Never {
    SurfaceWindow.drainMainActor()
    g_main_loop_run(g_main_loop_new(nil, 0))
    fatalError("GTK's loop has ended")
}
