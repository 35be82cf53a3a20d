package import InlayServerCore

// Tests write ids as string literals.
extension Identifier where Self: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(verified: text) }
}

extension EnvironmentID: ExpressibleByStringInterpolation {}
extension UserID: ExpressibleByStringInterpolation {}
