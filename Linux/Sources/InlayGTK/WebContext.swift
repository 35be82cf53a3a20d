import CWebKitGTK
import Foundation
@_spi(Inlay) import InlayWebHost

/// The program's WebKit context: one process model, one ephemeral session, and the handler of all pages' URL scheme.
@MainActor final class WebContext {
    static let shared = WebContext()

    let context: OpaquePointer?
    /// The ephemeral network session: its cookies, caches and storage are discarded when the program ends.
    let session: OpaquePointer?
    private var views: [UnsafeMutableRawPointer: WeakView] = [:]

    private struct WeakView {
        weak var view: SurfaceView?
    }

    private init() {
        context = webkit_web_context_new()
        session = webkit_network_session_new_ephemeral()
        let security = webkit_web_context_get_security_manager(context)
        webkit_security_manager_register_uri_scheme_as_secure(security, WebHost.scheme)
        webkit_security_manager_register_uri_scheme_as_cors_enabled(security, WebHost.scheme)
        webkit_web_context_register_uri_scheme(
            context, WebHost.scheme,
            { request, _ in
                guard let request else { return }
                // SAFETY: WebKit calls on the main thread, where the request stays.
                nonisolated(unsafe) let pointer = request
                MainActor.assumeIsolated { WebContext.shared.respond(to: SchemeRequest(pointer)) }
            }, nil, nil)
    }

    func remember(_ view: SurfaceView) { views[UnsafeMutableRawPointer(view.view)] = WeakView(view: view) }

    func forget(_ widget: UnsafeMutablePointer<WebKitWebView>) {
        views[UnsafeMutableRawPointer(widget)] = nil
    }

    func view(of widget: UnsafeMutableRawPointer) -> SurfaceView? { views[widget]?.view }

    private func respond(to request: SchemeRequest) {
        guard let widget = request.widget, let host = view(of: widget)?.host else { return request.fail() }
        // Ends with the host's reply, which takes no longer than the time limit of its media loader.
        Task { request.finish(await host.reply(to: request.request)) }
    }
}

/// A page's request for a URL of the scheme; it retains WebKit's request object.
@MainActor private final class SchemeRequest {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
        g_object_ref(UnsafeMutableRawPointer(pointer))
    }

    isolated deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

    /// The web view of the page.
    var widget: UnsafeMutableRawPointer? {
        webkit_uri_scheme_request_get_web_view(pointer).map(UnsafeMutableRawPointer.init)
    }

    var request: WebRequest {
        let address = webkit_uri_scheme_request_get_uri(pointer).map { String(cString: $0) } ?? ""
        let origin = WebHost.origin
        return WebRequest(
            method: webkit_uri_scheme_request_get_http_method(pointer).map { String(cString: $0) } ?? "GET",
            target: address.hasPrefix(origin) ? String(address.dropFirst(origin.count)) : "", origin: origin,
            range: header("Range"), destination: header("Sec-Fetch-Dest"))
    }

    func finish(_ reply: WebReply) {
        let bytes = reply.body.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        let stream = g_memory_input_stream_new_from_bytes(bytes)
        g_bytes_unref(bytes)
        let response = webkit_uri_scheme_response_new(stream, gint64(reply.body.count))
        g_object_unref(stream)
        webkit_uri_scheme_response_set_status(response, guint(reply.status), nil)
        webkit_uri_scheme_response_set_content_type(response, reply.mediaType)
        let headers = soup_message_headers_new(SOUP_MESSAGE_HEADERS_RESPONSE)
        for (name, value) in reply.fields { soup_message_headers_append(headers, name, value) }
        webkit_uri_scheme_response_set_http_headers(response, headers)
        webkit_uri_scheme_request_finish_with_response(pointer, response)
        g_object_unref(UnsafeMutableRawPointer(response))
    }

    func fail() {
        let error = g_error_new_literal(g_quark_from_string("inlay"), 0, "There is no page.")
        webkit_uri_scheme_request_finish_error(pointer, error)
        g_error_free(error)
    }

    private func header(_ name: String) -> String? {
        guard let headers = webkit_uri_scheme_request_get_http_headers(pointer) else { return nil }
        return soup_message_headers_get_one(headers, name).map { String(cString: $0) }
    }
}
