import CWebKitGTK
@_spi(Inlay) import InlayWebHost

/// A window with one or more surfaces. The user switches between them in the title bar.
@MainActor public final class SurfaceWindow {
    /// Whether the user, or the program, has closed the window.
    public private(set) var isClosed = false

    private let window: UnsafeMutablePointer<GtkWindow>
    private let stack: OpaquePointer
    private let bar = gtk_header_bar_new()
    private var views: [SurfaceView] = []
    private var closeWaiters: [AsyncStream<Never>.Continuation] = []

    /// Creates a window, which is hidden until ``present()``.
    ///
    /// - Parameters:
    ///   - width: The width in the desktop's pixels; the defaults of width and height are those of a phone.
    public init(title: String, width: Int = 390, height: Int = 760) {
        window = inlay_window(gtk_window_new())
        stack = inlay_stack(gtk_stack_new())
        gtk_window_set_title(window, title)
        gtk_window_set_default_size(window, gint(width), gint(height))
        gtk_window_set_child(window, inlay_stack_widget(stack))
        gtk_window_set_titlebar(window, bar)
        let close: @convention(c) (gpointer?, gpointer?) -> gboolean = { _, data in
            guard let data else { return 0 }
            // SAFETY: GTK sends the signal on the main thread and never after `close`, which the deinitializer also
            // calls.
            nonisolated(unsafe) let object = data
            MainActor.assumeIsolated {
                Unmanaged<SurfaceWindow>.fromOpaque(object).takeUnretainedValue().close()
            }
            return 1
        }
        _ = inlay_connect(
            window, "close-request", unsafeBitCast(close, to: GCallback.self),
            Unmanaged.passUnretained(self).toOpaque())
    }

    isolated deinit { close() }

    /// Adds a surface, to which the user can switch. Does nothing when the window or the view is closed.
    ///
    /// - Parameters:
    ///   - title: The surface's name in the title bar, which shows names when there are two or more surfaces.
    public func add(_ view: SurfaceView, title: String) {
        guard !isClosed, !view.isClosed else { return }
        views.append(view)
        gtk_widget_set_vexpand(view.widget, 1)
        gtk_stack_add_titled(stack, view.widget, String(views.count), title)
        guard views.count == 2 else { return }
        let switcher = gtk_stack_switcher_new()
        inlay_stack_switcher_set_stack(switcher, stack)
        inlay_header_bar_set_title_widget(bar, switcher)
    }

    /// Shows the window, unless it is closed.
    public func present() {
        if !isClosed { gtk_window_present(window) }
    }

    /// Returns when the window is closed, or the task is cancelled.
    public func untilClosed() async {
        guard !isClosed else { return }
        let (closed, continuation) = AsyncStream.makeStream(of: Never.self)
        closeWaiters.append(continuation)
        for await _ in closed {}
    }

    /// Closes the window and ends the runs of its surfaces. Safe to call twice.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        views.forEach { $0.close() }
        gtk_window_destroy(window)
        closeWaiters.forEach { $0.finish() }
    }
}
