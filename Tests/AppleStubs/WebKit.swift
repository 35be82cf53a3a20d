@_exported import Foundation
import UIKit

@MainActor open class WKWebView: UIView {
    open func evaluateJavaScript(_ script: String) async throws -> Any? { nil }
}
