import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import InlayXMLAPI

/// Responses of a marketing database's server.
enum DatabaseResponses {
    /// Returns a success with these elements after `SUCCESS`.
    static func success(_ inside: String = "") -> ScriptedResponse {
        xml("<Envelope><Body><RESULT><SUCCESS>TRUE</SUCCESS>\(inside)</RESULT></Body></Envelope>")
    }

    static func recipient(_ id: String, columns: [String: String] = [:]) -> ScriptedResponse {
        let columns = columns.sorted { $0.key < $1.key }.map {
            "<COLUMN><NAME>\($0.key)</NAME><VALUE>\($0.value)</VALUE></COLUMN>"
        }
        return success("<RecipientId>\(id)</RecipientId><COLUMNS>\(columns.joined())</COLUMNS>")
    }

    static func fault(_ text: String, _ id: Int = 128, of class: String = "SP.ListManager")
        -> ScriptedResponse
    {
        xml(
            """
            <Envelope><Body><RESULT><SUCCESS>false</SUCCESS></RESULT><Fault><Request/><FaultCode/>
            <FaultString><![CDATA[\(text)]]></FaultString><detail><error><errorid>\(id)</errorid><module/>
            <class>\(`class`)</class><method/></error></detail></Fault></Body></Envelope>
            """)
    }

    static func xml(_ text: String) -> ScriptedResponse {
        .response(
            TransportResponse(status: 200, headers: ["Content-Type": "text/xml"], body: Data(text.utf8)))
    }

    static func token(_ text: String = "token-1", seconds: Double = 14_400) -> ScriptedResponse {
        .response(
            TransportResponse(
                status: 200, body: Data(#"{"access_token":"\#(text)","expires_in":\#(seconds)}"#.utf8)))
    }
}

extension TransportRequest {
    /// The fields of the URL-encoded form in the body.
    var form: [String: String] {
        let pairs = String(decoding: body ?? Data(), as: UTF8.self).split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? ""
            }
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The XML document in the form's field `xml`.
    var envelope: XMLTree { get throws { try XMLTree(reading: form["xml"] ?? "", limits: .xmlapi) } }

    /// The element of the operation, the first one in the envelope's body.
    var operation: XMLTree? { get throws { try envelope.child("Body")?.children.first } }
}
