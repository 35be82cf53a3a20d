#if canImport(UIKit)
    @_exported public import UIKit
#else
    public import Foundation

    /// A substitute for UIKit's color on systems without UIKit: four components from 0 to 1.
    public final class UIColor: NSObject, Sendable {
        /// Red, green, blue and opacity, each from 0 to 1.
        public let red, green, blue, alpha: Double

        /// Creates a color from its components; values outside 0…1 are clamped.
        public init(red: Double, green: Double, blue: Double, alpha: Double) {
            func clamped(_ value: Double) -> Double { min(max(value, 0), 1) }
            self.red = clamped(red)
            self.green = clamped(green)
            self.blue = clamped(blue)
            self.alpha = clamped(alpha)
        }

        /// Opaque white.
        public static let white = UIColor(red: 1, green: 1, blue: 1, alpha: 1)
        /// Opaque black.
        public static let black = UIColor(red: 0, green: 0, blue: 0, alpha: 1)
        /// Opaque red.
        public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
        /// Opaque blue.
        public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)

        /// Returns the color with another opacity.
        public func withAlphaComponent(_ alpha: Double) -> UIColor {
            UIColor(red: red, green: green, blue: blue, alpha: alpha)
        }

        public override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? UIColor else { return false }
            return [red, green, blue, alpha] == [other.red, other.green, other.blue, other.alpha]
        }

        public override var hash: Int { [red, green, blue, alpha].hashValue }
    }

    /// A substitute for UIKit's view controller on systems without UIKit; it has no view.
    @MainActor open class UIViewController: NSObject {}
#endif
