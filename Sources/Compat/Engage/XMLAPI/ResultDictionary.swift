public import Foundation
import InlayBehaviors
public import InlayXMLAPI

/// EngageSDK's name for a response on Android.
public typealias EngageResponseXML = ResultDictionary

/// EngageSDK's response: an XML tree whose texts are read by short paths.
public final class ResultDictionary: NSObject, Sendable {
    /// The parsed response.
    public let response: XMLAPIResponse

    /// Creates a dictionary from a parsed response.
    public init(_ response: XMLAPIResponse) { self.response = response }

    /// Returns the text at a path, in which Envelope, Body and RESULT may be omitted, for example `SUCCESS`,
    /// `RecipientId` or `Fault.FaultString`; `nil` when the response has no such element.
    public func value(forShortPath path: String) -> String? { response[path] }

    public override var description: String { "ResultDictionary(SUCCESS: \(response.isSuccess))" }
}

extension Optional where Wrapped == String {
    /// The text as a Boolean by the rules of `NSString`; `nil` is `false`.
    ///
    /// EngageSDK's sample uses it: `result.value(forShortPath: "SUCCESS").boolValue`.
    public var boolValue: Bool { self.map { NSString(string: $0).boolValue } ?? false }
}
