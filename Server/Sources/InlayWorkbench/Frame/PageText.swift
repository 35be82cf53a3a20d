import InlayServerCore
import Mustache

/// Escapes the values of templates with ``HTMLText``: Mustache's own way goes by grapheme.
package struct PageText: MustacheContentType {
    package static let name = "PAGE"

    package init() {}

    package func escapeText(_ text: String) -> String { HTMLText.escaped(text) }
}
