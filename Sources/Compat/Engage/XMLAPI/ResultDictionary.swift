public import Foundation
import InlayBehaviors
public import InlayXMLAPI

/// EngageSDK's name for a response on other platforms.
public typealias EngageResponseXML = ResultDictionary

/// EngageSDK's response: a tree that is read by short paths.
public final class ResultDictionary: NSObject, Sendable {
    /// The answer as a value.
    public let response: XMLAPIResponse

    /// An answer that was read already.
    public init(_ response: XMLAPIResponse) { self.response = response }

    /// The text at a path of which Envelope, Body and RESULT may be left out, for example `SUCCESS`,
    /// `RecipientId` or `Fault.FaultString`; `nil` when the answer has no such element.
    public func value(forShortPath path: String) -> String? { response[path] }

    public override var description: String { "ResultDictionary(SUCCESS: \(response.isSuccess))" }
}

extension Optional where Wrapped == String {
    /// The text read as a Boolean the way `NSString` reads one; `nil` is false.
    ///
    /// So `result.value(forShortPath: "SUCCESS").boolValue` is what EngageSDK's sample prints.
    public var boolValue: Bool { self.map { NSString(string: $0).boolValue } ?? false }
}
