import CWebKitGTK
import Foundation
@_spi(Inlay) import InlayWebHost

// The signals of WebKit's widget. GTK sends them on the main thread, with the pointer of the widget as their data.
extension SurfaceView {
    func connectSignals() {
        let message: @convention(c) (OpaquePointer?, OpaquePointer?, gpointer?) -> Void = {
            _, value, widget in
            SurfaceView.with(widget) { $0.received(value) }
        }
        connect(
            UnsafeMutableRawPointer(content), "script-message-received::\(WebHost.messageHandler)",
            unsafeBitCast(message, to: GCallback.self))
        webkit_user_content_manager_register_script_message_handler(content, WebHost.messageHandler, nil)

        let ended: @convention(c) (gpointer?, WebKitWebProcessTerminationReason, gpointer?) -> Void = {
            _, reason, widget in
            guard reason != WEBKIT_WEB_PROCESS_TERMINATED_BY_API else { return }
            SurfaceView.with(widget) { $0.host.processEnded() }
        }
        connect(view, "web-process-terminated", unsafeBitCast(ended, to: GCallback.self))

        let decision: @convention(c) (gpointer?, gpointer?, WebKitPolicyDecisionType, gpointer?) -> gboolean =
            {
                _, decision, type, widget in
                let decision = inlay_policy_decision(decision)
                // WebKit treats a decision that is not made as permission.
                if !SurfaceView.with(widget, { $0.decide(decision, type) }) {
                    webkit_policy_decision_ignore(decision)
                }
                return 1
            }
        connect(view, "decide-policy", unsafeBitCast(decision, to: GCallback.self))

        // Suppresses WebKit's context menu, which offers to go back, to save and to open windows.
        let menu: @convention(c) (gpointer?, gpointer?, gpointer?, gpointer?) -> gboolean = { _, _, _, _ in 1
        }
        connect(view, "context-menu", unsafeBitCast(menu, to: GCallback.self))
    }

    private func connect(_ sender: UnsafeMutableRawPointer?, _ signal: String, _ function: GCallback) {
        guard let sender else { return }
        handlers.append((sender, inlay_connect(sender, signal, function, view)))
    }

    /// Calls something with the view of a widget; `false` when the view is gone.
    @discardableResult
    private nonisolated static func with(_ widget: gpointer?, _ body: @MainActor (SurfaceView) -> Void)
        -> Bool
    {
        // SAFETY: the pointer is only compared, on the same thread.
        nonisolated(unsafe) let widget = widget
        return MainActor.assumeIsolated {
            guard let widget, let view = WebContext.shared.view(of: widget) else { return false }
            body(view)
            return true
        }
    }

    private func received(_ value: OpaquePointer?) {
        guard let value, jsc_value_is_string(value) != 0, let bytes = jsc_value_to_string_as_bytes(value)
        else { return }
        defer { g_bytes_unref(bytes) }
        var count = gsize(0)
        // WebKit does not limit a message; one that is too large is not copied.
        guard let start = g_bytes_get_data(bytes, &count), count <= host.maximumMessageBytes else {
            return host.receivedTooMuch()
        }
        let buffer = UnsafeRawBufferPointer(start: start, count: Int(count))
        host.received(String(decoding: buffer, as: UTF8.self))
    }

    private func decide(
        _ decision: UnsafeMutablePointer<WebKitPolicyDecision>?, _ type: WebKitPolicyDecisionType
    ) {
        if isAllowed(decision, type) {
            webkit_policy_decision_use(decision)
        } else {
            webkit_policy_decision_ignore(decision)
        }
    }

    private func isAllowed(
        _ decision: UnsafeMutablePointer<WebKitPolicyDecision>?, _ type: WebKitPolicyDecisionType
    ) -> Bool {
        if type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE {
            guard let address = inlay_response_uri(decision).flatMap({ URL(string: String(cString: $0)) })
            else {
                return false
            }
            return host.mayShow(address, inMainFrame: inlay_response_is_page(decision) != 0)
        }
        let action = inlay_navigation_action(decision)
        guard let text = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action)) else {
            return false
        }
        if type == WEBKIT_POLICY_DECISION_TYPE_NEW_WINDOW_ACTION {
            // WebKit asks only for documents that may open windows, and none of our frames may.
            if webkit_navigation_action_is_user_gesture(action) != 0 {
                host.openOutside(String(cString: text))
            }
            return false
        }
        return URL(string: String(cString: text)).map(host.mayLoad) ?? false
    }
}
