/// A template drawn as small as a thumbnail: a bar for each line, so that templates are distinguished at a glance.
enum CardSketch {
    /// A rectangle in a box of 48 by 36.
    struct Part: Equatable {
        /// The class of its color: `ink`, `soft`, `hole`, `accent`.
        let style: String
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        var radius = 1
    }

    private static let bottom = 33
    private static let left = 5
    private static let whole = 38

    /// The parts of a card, as far as they fit.
    static func parts(of elements: [CardElement]) -> [Part] {
        var parts: [Part] = []
        var y = 4
        for element in elements.flatMap(\.withChildren) {
            for line in lines(element) where y + line.height <= bottom {
                parts.append(
                    Part(
                        style: line.style, x: left, y: y, width: line.width, height: line.height,
                        radius: line.height > 4 ? 2 : 1))
                y += line.height + 2
            }
        }
        return parts
    }

    private static func lines(_ element: CardElement) -> [(style: String, width: Int, height: Int)] {
        switch element {
        case .category: [("accent", 12, 2)]
        case .headline(let words): [("ink", min(whole, 12 + words.count), 4)]
        case .text(let words): words.count > 60 ? [("soft", whole, 2), ("soft", 26, 2)] : [("soft", 32, 2)]
        case .list(_, let items): items.prefix(3).map { ("soft", min(whole, 10 + $0.count), 2) }
        case .image: [("hole", whole, 12)]
        case .textInput, .numberInput: [("soft", whole, 5)]
        case .submitButton: [("accent", 18, 5)]
        case .dismissButton, .snoozeButton, .linkButton: [("hole", 18, 5)]
        case .form: []
        }
    }
}

extension CardElement {
    /// The element, and the elements of a form.
    fileprivate var withChildren: [CardElement] {
        if case .form(let children) = self { return children }
        return [self]
    }
}
