/// The names and attributes of this server's cookies.
///
/// All are `HttpOnly` and `SameSite=Strict`. Where browsers reach the server by https they are also `Secure` and their
/// names begin with `__Host-`: a browser takes such a cookie from this very host only, so that neither another host of
/// the domain nor a page without encryption can plant one.
package struct CookieRules: Sendable {
    let isSecure: Bool

    package init(isSecure: Bool) {
        self.isSecure = isSecure
    }

    /// The name under which a browser keeps the cookie.
    package func name(of cookie: String) -> String { isSecure ? "__Host-\(cookie)" : cookie }

    /// The value of `Set-Cookie`. The prefix demands the path `/`; without it the cookie stays below `path`.
    package func field(_ cookie: String, _ value: String, path: String, seconds: Int64) -> String {
        let end = isSecure ? "Path=/; Max-Age=\(seconds); Secure" : "Path=\(path); Max-Age=\(seconds)"
        return "\(name(of: cookie))=\(value); \(end); HttpOnly; SameSite=Strict"
    }
}
