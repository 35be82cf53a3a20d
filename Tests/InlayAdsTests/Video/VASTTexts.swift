@_spi(Inlay) import InlayWire

/// VAST for the tests of wrappers, written by hand.
enum VASTTexts {
    static let file =
        "<MediaFile type=\"video/mp4\" width=\"640\" height=\"360\">https://cdn.test/a.mp4</MediaFile>"

    static func inline(
        _ id: String, sequence: Int? = nil, head: String = "", more: String = "", media: String = file
    ) -> String {
        """
        <Ad id="\(id)"\(sequence.map { " sequence=\"\($0)\"" } ?? "")><InLine><AdSystem>s</AdSystem>
        <AdTitle>Title \(id)</AdTitle><Error>https://e.test/\(id)?c=[ERRORCODE]</Error>
        <Impression>https://i.test/\(id)</Impression>\(head)
        <Creatives><Creative><Linear skipoffset="25%"><Duration>00:00:20</Duration>
        <TrackingEvents><Tracking event="start">https://t.test/\(id)/start</Tracking>
        <Tracking event="progress" offset="50%">https://t.test/\(id)/half</Tracking></TrackingEvents>
        <VideoClicks><ClickTracking>https://t.test/\(id)/click</ClickTracking>
        <ClickThrough>https://shop.test/\(id)</ClickThrough></VideoClicks>
        <MediaFiles>\(media)</MediaFiles>\(more)</Linear></Creative></Creatives></InLine></Ad>
        """
    }

    static func wrapper(
        _ id: String, to address: String, attributes: String = "", sequence: Int? = nil, head: String = "",
        more: String = ""
    ) -> String {
        """
        <Ad id="\(id)"\(sequence.map { " sequence=\"\($0)\"" } ?? "")><Wrapper\(attributes)><AdSystem>s</AdSystem>
        <VASTAdTagURI><![CDATA[\(address)]]></VASTAdTagURI><Error>https://e.test/\(id)?c=[ERRORCODE]</Error>
        <Impression>https://i.test/\(id)</Impression>\(head)
        <Creatives><Creative><Linear><TrackingEvents><Tracking event="start">https://t.test/\(id)/start</Tracking>
        </TrackingEvents><VideoClicks><ClickTracking>https://t.test/\(id)/click</ClickTracking></VideoClicks>\(more)
        </Linear></Creative></Creatives></Wrapper></Ad>
        """
    }

    static func document(_ ads: String..., head: String = "") -> String {
        "<VAST version=\"4.2\">\(head)\(ads.joined())</VAST>"
    }
}
