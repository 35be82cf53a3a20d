/// Formatted text as a tree: what Markdown becomes after parsing and sanitising.
///
/// The tree cannot hold raw HTML, and its links lead only to http, https, mailto, tel or a subview, so a renderer need
/// only escape the text.
@_spi(Inlay) public struct RichText: Codable, Hashable, Sendable {
    /// The blocks in order.
    public var blocks: [Block]

    /// A tree of blocks.
    public init(_ blocks: [Block]) { self.blocks = blocks }

    /// One paragraph of plain text.
    public init(plain: String) { blocks = [.paragraph([.text(plain)])] }

    /// An element that begins and ends a line.
    public indirect enum Block: Codable, Hashable, Sendable {
        case paragraph([Inline])
        /// Level 1 to 6.
        case heading(level: Int, [Inline])
        case bullets([[Block]])
        case numbers(start: Int, [[Block]])
        case quote([Block])
        case code(String)
        case rule
    }

    /// An element within a line.
    public indirect enum Inline: Codable, Hashable, Sendable {
        case text(String)
        case strong([Inline])
        case emphasis([Inline])
        case struck([Inline])
        case code(String)
        case link(url: String, [Inline])
        case lineBreak
    }

    /// The text without formatting; blocks are separated by a line feed.
    public var plainText: String { blocks.map(Self.plain).joined(separator: "\n") }

    /// Returns the tree with every run of text changed by `transform`; structure and links stay.
    public func mapText(_ transform: (String) -> String) -> RichText {
        map(text: transform, link: { $0 })
    }

    /// Returns the tree with every run of text and every link's address changed; structure stays.
    public func map(text: (String) -> String, link: (String) -> String) -> RichText {
        RichText(blocks.map { Self.map($0, text, link) })
    }

    private static func plain(_ block: Block) -> String {
        switch block {
        case .paragraph(let inlines), .heading(_, let inlines): inlines.map(plain).joined()
        case .bullets(let items), .numbers(_, let items):
            items.map { $0.map(plain).joined(separator: "\n") }.joined(separator: "\n")
        case .quote(let blocks): blocks.map(plain).joined(separator: "\n")
        case .code(let code): code
        case .rule: ""
        }
    }

    private static func plain(_ inline: Inline) -> String {
        switch inline {
        case .text(let text), .code(let text): text
        case .strong(let inner), .emphasis(let inner), .struck(let inner), .link(_, let inner):
            inner.map(plain).joined()
        case .lineBreak: "\n"
        }
    }

    private static func map(
        _ block: Block, _ text: (String) -> String, _ link: (String) -> String
    ) -> Block {
        func line(_ inlines: [Inline]) -> [Inline] { inlines.map { map($0, text, link) } }
        func inner(_ blocks: [Block]) -> [Block] { blocks.map { map($0, text, link) } }
        return switch block {
        case .paragraph(let inlines): .paragraph(line(inlines))
        case .heading(let level, let inlines): .heading(level: level, line(inlines))
        case .bullets(let items): .bullets(items.map(inner))
        case .numbers(let start, let items): .numbers(start: start, items.map(inner))
        case .quote(let blocks): .quote(inner(blocks))
        case .code(let code): .code(text(code))
        case .rule: .rule
        }
    }

    private static func map(
        _ inline: Inline, _ text: (String) -> String, _ link: (String) -> String
    ) -> Inline {
        func line(_ inlines: [Inline]) -> [Inline] { inlines.map { map($0, text, link) } }
        return switch inline {
        case .text(let run): .text(text(run))
        case .code(let run): .code(text(run))
        case .strong(let inlines): .strong(line(inlines))
        case .emphasis(let inlines): .emphasis(line(inlines))
        case .struck(let inlines): .struck(line(inlines))
        case .link(let url, let inlines): .link(url: link(url), line(inlines))
        case .lineBreak: .lineBreak
        }
    }
}
