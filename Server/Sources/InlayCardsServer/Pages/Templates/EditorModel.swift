@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The model of the editor's page, made from the typed form and its faults.
struct EditorModel {
    /// A list of elements with its menu.
    struct Level {
        let levelPath: String
        let addPath: String
        let canAdd: Bool
        let blocks: [Block]
        let addable: [Addable]
        /// The notes about parts that were removed after the last element.
        let removedAtEnd: [Removed]
    }

    /// A note in the place of a removed part, with an Undo button.
    struct Removed {
        let removedText: String
        let hidden: [HiddenField]

        init(_ part: RemovedPart) {
            removedText = "Removed \(part.label)"
            hidden = part.fields.map { HiddenField(hiddenName: $0.name, hiddenValue: $0.value) }
        }
    }

    /// An element that can be added.
    struct Addable {
        let kind: String
        let kindName: String
    }

    /// One element. A Boolean guards each value that may be absent: Mustache would look for an absent value in the
    /// enclosing element.
    struct Block {
        let blockID: String
        let blockPath: String
        let kind: String
        let kindName: String
        /// Whether the element's type exists. The type of an unknown element is shown as a field.
        let isKnown: Bool
        let blockFault: String?
        let hasFaults: Bool
        let canMove: Bool
        let isFirst: Bool
        let isLast: Bool
        let fields: [FieldView]
        let moreName: String
        let hasMore: Bool
        let isMoreOpen: Bool
        let moreFields: [FieldView]
        let hasInside: Bool
        let inside: [Level]
        /// The notes about parts that were removed before this element.
        let removedBefore: [Removed]
    }

    /// A subview.
    struct Subview {
        let subviewPath: String
        let subviewName: String
        let fields: [FieldView]
        let level: [Level]
        let isLocked: Bool
    }

    /// A variable.
    struct Variable {
        let variablePath: String
        let variableName: String
        let variableNumber: Int
        let fields: [FieldView]
        let isLocked: Bool
    }

    let csrf: String
    let revision: String
    let canEdit: Bool
    let faultSummary: FaultSummary?
    let card: [Level]
    let subviews: [Subview]
    let variables: [Variable]
    let removedSubview: [Removed]
    let removedVariable: [Removed]
    let settings: [FieldView]
    let containers: [FieldView]
    let containerFault: String?
    let options: [FieldView]
    let parts: [ChoiceView]
}
