public import Foundation
internal import InlayWire
@_spi(Inlay) import InlayWire

/// The action of a tap on an image.
public enum AACCardNodeMediaActionType: Int, Sendable {
    /// Opens the image.
    case media
    case URL, subview, payload
}

/// The height of an image on screen.
public enum AACCardNodeMediaHeight: Int, Sendable {
    case tall, medium, short, original

    init(_ height: CardImage.Height) {
        switch height {
        case .tall: self = .tall
        case .medium: self = .medium
        case .short: self = .short
        case .original: self = .original
        }
    }
}

/// An image or a video.
public class AACCardNodeMedia: AACCardNode {
    /// The address of the media; `nil` when it is invalid.
    public let url: URL?
    /// The text for screen readers.
    public let alternateText: String?
    /// The height on screen.
    public let displayedHeightType: AACCardNodeMediaHeight
    /// The action of a tap.
    public let actionType: AACCardNodeMediaActionType
    /// The address that a tap opens.
    public let actionUrl: URL?
    /// The subview that a tap opens.
    public let actionLayoutName: String?
    /// The payload that a tap passes to the app.
    public let actionPayload: [String: Any]?

    init(_ node: CardNode, image: CardImage, cardID: String) {
        url = WebAddress.link(image.url)
        alternateText = image.alternateText.isEmpty ? nil : image.alternateText
        displayedHeightType = AACCardNodeMediaHeight(image.height)
        let target = LinkTarget(image.action)
        actionType = target.type
        actionUrl = target.url
        actionLayoutName = target.layoutName
        actionPayload = target.payload
        super.init(node, cardID: cardID)
    }
}

/// An image.
public final class AACCardNodeImage: AACCardNodeMedia {}

/// The action of a link, in the form of the properties of Atomic's classes.
struct LinkTarget {
    var type = AACCardNodeMediaActionType.media
    var urlString: String?
    var layoutName: String?
    var payload: [String: Any]?

    var url: URL? { urlString.flatMap(WebAddress.link) }

    init(_ action: CardLinkAction?) {
        switch action {
        case .url(let address):
            type = .URL
            urlString = address
        case .subview(let id):
            type = .subview
            layoutName = id
        case .payload(let members):
            type = .payload
            payload = members.mapValues(\.plain)
        case nil: break
        }
    }
}

extension JSONValue {
    /// The value in the types of `JSONSerialization`.
    var plain: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): Int(exactly: value) ?? Int.max
        case .number(let value): value
        case .string(let value): value
        case .array(let elements): elements.map(\.plain)
        case .object(let members): members.mapValues(\.plain)
        }
    }
}
