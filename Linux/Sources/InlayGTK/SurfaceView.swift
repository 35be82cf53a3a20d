public import CWebKitGTK
public import Foundation
public import InlaySurface
@_spi(Inlay) public import InlayWebHost

/// A surface in a widget of GTK, drawn by WebKit.
///
/// Create it after ``SurfaceWindow/run(_:)`` has begun. Frames of other sites are not shown, whether a hub's rules
/// allow them or an ad contains them.
@MainActor public final class SurfaceView {
    /// Called to open a web address outside of the program; by default, the desktop's browser opens it.
    public var onOpen: (URL) -> Void = { gtk_show_uri(nil, $0.absoluteString, guint32(GDK_CURRENT_TIME)) }
    /// The natural height of the content in the page's pixels; `nil` until the page is drawn.
    public private(set) var contentHeight: Int?
    /// Called with each new height of the content.
    public var onHeight: ((Int) -> Void)?
    /// Whether the view was closed.
    public private(set) var isClosed = false

    let host: WebHost
    let view: UnsafeMutablePointer<WebKitWebView>
    let content: OpaquePointer?
    /// The ids of the connected signal handlers, with the objects that send the signals.
    var handlers: [(sender: UnsafeMutableRawPointer, id: gulong)] = []

    /// Creates a view and starts to show a surface.
    ///
    /// - Parameters:
    ///   - title: The page's title until the surface sets its own.
    ///   - media: The loader of pictures and fonts, for example `session.media`; without a loader, the page has none.
    /// - Throws: When a file of this package cannot be read.
    public convenience init(_ surface: any Surface, title: String = "", media: WebContent.Loader? = nil)
        throws
    {
        try self.init(WebHost(surface, title: title, media: media))
    }

    init(_ host: WebHost) throws {
        self.host = host
        content = webkit_user_content_manager_new()
        view = inlay_web_view_new(WebContext.shared.context, WebContext.shared.session, content)
        WebContext.shared.remember(self)
        configure()
        connectSignals()
        host.view = self
        try host.start()
    }

    isolated deinit { close() }

    /// The widget, for a window or another widget of the program. Must not be used after ``close()``.
    public var widget: UnsafeMutablePointer<GtkWidget> { inlay_widget(view) }

    /// Ends the surface's run and releases the widget. Safe to call twice.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        host.end()
        for handler in handlers { g_signal_handler_disconnect(handler.sender, handler.id) }
        WebContext.shared.forget(view)
        webkit_web_view_terminate_web_process(view)
        g_object_unref(view)
        g_object_unref(UnsafeMutableRawPointer(content))
    }

    private func configure() {
        let settings = webkit_web_view_get_settings(view)
        // Inlay's pages need none of these.
        webkit_settings_set_enable_html5_local_storage(settings, 0)
        webkit_settings_set_enable_html5_database(settings, 0)
        webkit_settings_set_enable_page_cache(settings, 0)
        webkit_settings_set_enable_webgl(settings, 0)
        webkit_settings_set_enable_webrtc(settings, 0)
        webkit_settings_set_enable_back_forward_navigation_gestures(settings, 0)
        var clear = GdkRGBA(red: 0, green: 0, blue: 0, alpha: 0)
        webkit_web_view_set_background_color(view, &clear)
    }
}

@_spi(Inlay) extension SurfaceView: WebView {
    public func load(_ address: URL, script: String) {
        webkit_user_content_manager_remove_all_scripts(content)
        let script = webkit_user_script_new(
            script, WEBKIT_USER_CONTENT_INJECT_TOP_FRAME, WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START, nil,
            nil)
        webkit_user_content_manager_add_script(content, script)
        webkit_user_script_unref(script)
        webkit_web_view_load_uri(view, address.absoluteString)
    }

    public func run(_ script: String) {
        webkit_web_view_evaluate_javascript(view, script, -1, nil, nil, nil, nil, nil)
    }

    public func open(_ address: URL) { onOpen(address) }

    public func contentHeightChanged(_ height: Int) {
        contentHeight = height
        onHeight?(height)
    }
}
