import Foundation

/// A colour that an app sets in code.
public struct SurfaceColor: Codable, Hashable, Sendable {
    /// Red from 0 to 255.
    public let red: UInt8
    /// Green from 0 to 255.
    public let green: UInt8
    /// Blue from 0 to 255.
    public let blue: UInt8
    /// Opacity from 0 to 1.
    public let alpha: Double

    /// A colour from its components. The alpha is clamped to 0 ... 1; NaN becomes 1.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha.isNaN ? 1 : min(max(alpha, 0), 1)
    }

    /// Opaque white.
    public static let white = SurfaceColor(red: 255, green: 255, blue: 255)
    /// Opaque black.
    public static let black = SurfaceColor(red: 0, green: 0, blue: 0)

    /// The same colour at another opacity.
    public func opacity(_ alpha: Double) -> SurfaceColor {
        SurfaceColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// The colour in CSS.
    public var css: String {
        alpha == 1
            ? "rgb(\(red), \(green), \(blue))"
            : "rgba(\(red), \(green), \(blue), \(String(format: "%.3g", alpha)))"
    }
}
