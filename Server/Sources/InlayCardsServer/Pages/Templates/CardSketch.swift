/// A thumbnail of a template: a bar for each line of the card.
enum CardSketch {
    /// A rectangle in a box of 48 by 36.
    struct Part: Equatable {
        /// The CSS class of the part's color: `ink`, `soft`, `hole`, `accent`.
        let style: String
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        var radius = 1
    }

    private static let bottom = 33
    private static let left = 5
    private static let fullWidth = 38

    /// Returns the parts of a card, as many as fit.
    static func parts(of elements: [CardElement]) -> [Part] {
        var parts: [Part] = []
        var y = 4
        for element in elements.flatMap(\.flattened) {
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
        case .headline(let text): [("ink", min(fullWidth, 12 + text.count), 4)]
        case .text(let text): text.count > 60 ? [("soft", fullWidth, 2), ("soft", 26, 2)] : [("soft", 32, 2)]
        case .list(_, let items): items.prefix(3).map { ("soft", min(fullWidth, 10 + $0.count), 2) }
        case .image: [("hole", fullWidth, 12)]
        case .textInput, .numberInput: [("soft", fullWidth, 5)]
        case .submitButton: [("accent", 18, 5)]
        case .dismissButton, .snoozeButton, .linkButton: [("hole", 18, 5)]
        case .form: []
        }
    }
}

extension CardElement {
    /// The elements of a form, or the element itself.
    fileprivate var flattened: [CardElement] {
        if case .form(let children) = self { return children }
        return [self]
    }
}
