/// What the exchange and its bidders say to each other: OpenRTB 2.6.
///
/// Requests are built from a documented ad request and its unit (``OpenRTB/Supply``), answers are read and
/// checked (``OpenRTB/AnswerCheck``). Nothing here waits, stores or opens connections.
package enum OpenRTB {
    /// The value of the header field `x-openrtb-version`.
    package static let version = "2.6"
    /// The largest request that is read, in bytes.
    package static let requestBytes = 256 << 10
    /// The largest answer of a bidder that is read, in bytes, before and after it is unpacked.
    package static let answerBytes = 512 << 10
    /// The largest markup of a bid, in bytes.
    package static let markupBytes = 256 << 10
    /// The most bids of one answer that are looked at.
    package static let answerBids = 100
    /// The longest id, seat or currency of a bidder that is repeated anywhere, in bytes.
    package static let nameBytes = 256
    /// The longest address in a bid, in bytes.
    package static let addressBytes = 4 << 10
}
