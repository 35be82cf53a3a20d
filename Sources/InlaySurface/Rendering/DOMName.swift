/// The names for `id` attributes.
package enum DOMName {
    /// Returns a name without spaces, different for different texts: letters, digits and hyphens stay, every other
    /// scalar becomes its number between underscores.
    package static func make(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { name, scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-": name.unicodeScalars.append(scalar)
            default: name += "_\(scalar.value)_"
            }
        }
    }
}
