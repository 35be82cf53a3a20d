import InlayServerCore
import Mustache

/// The content type of templates, which escapes values with ``HTMLText``: Mustache's default works by grapheme.
package struct PageText: MustacheContentType {
    package static let name = "PAGE"

    package init() {}

    package func escapeText(_ text: String) -> String { HTMLText.escaped(text) }
}
