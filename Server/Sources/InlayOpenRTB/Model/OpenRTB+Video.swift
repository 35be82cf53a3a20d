@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// A video that may fill an impression.
    package struct Video: RTBObject {
        /// The supported media types; at least one.
        package var mimes: [String]?
        /// The minimum duration.
        package var minimumSeconds: Int?
        /// The maximum duration.
        package var maximumSeconds: Int?
        /// The start delay; 0 is before the content.
        package var startDelay: Int?
        /// The maximum number of ads in a pod.
        package var maximumAds: Int?
        /// The duration of a pod.
        package var podSeconds: Int?
        /// The supported versions of VAST: 2, 3, 5, 6 are VAST 2, 3 and their wrappers; 7, 8 are VAST 4; 11 to 14 are
        /// VAST 4.1 and 4.2.
        package var protocols: [Int]?
        /// The width in points.
        package var width: Int?
        /// The height in points.
        package var height: Int?
        /// The id of the pod.
        package var podID: String?
        /// The position of the pod in the content.
        package var podSequence: Int?
        /// The only allowed durations; excludes `minimumSeconds` and `maximumSeconds`.
        package var exactSeconds: [Int]?
        /// The placement type; superseded by `placement`, read for older requests.
        package var oldPlacement: Int?
        /// The placement: 1 in-stream, 2 accompanying content, 3 interstitial, 4 standalone.
        package var placement: Int?
        /// 1 for linear, 2 for an overlay.
        package var linearity: Int?
        /// 1 when the video can be skipped.
        package var isSkippable: Int?
        /// The duration above which a video can be skipped.
        package var skipMinimumSeconds: Int?
        /// The time after which the video can be skipped.
        package var skipAfterSeconds: Int?
        /// The slot of the pod that is for sale.
        package var slotInPod: Int?
        /// The floor price per thousand impressions and second, in millionths.
        package var floorPerSecondMicros: Int64?
        /// The blocked creative attributes.
        package var blockedAttributes: [Int]?
        /// The time by which a video may exceed the maximum duration.
        package var extendedSeconds: Int?
        /// The minimum bit rate in kbit/s.
        package var minimumBitrate: Int?
        /// The maximum bit rate in kbit/s.
        package var maximumBitrate: Int?
        /// 1 when 4:3 content may be letterboxed to 16:9.
        package var isBoxingAllowed: Int?
        /// The playback methods, such as autoplay with sound.
        package var playbackMethods: [Int]?
        /// The event that ends playback.
        package var playbackEnd: Int?
        /// The delivery methods: 1 streaming, 2 progressive, 3 download.
        package var deliveries: [Int]?
        /// The position on the screen.
        package var position: Int?
        /// The companion ads.
        package var companions: [Banner] = []
        /// The supported API frameworks; 7 is OMID.
        package var apis: [Int]?
        /// The companion types: 1 static, 2 HTML, 3 iframe.
        package var companionTypes: [Int]?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            placingFields(&fields)
            playingFields(&fields)
        }

        private mutating func placingFields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.texts("mimes", &mimes)
            fields.integer("minduration", &minimumSeconds)
            fields.integer("maxduration", &maximumSeconds)
            fields.integer("startdelay", &startDelay)
            fields.integer("maxseq", &maximumAds)
            fields.integer("poddur", &podSeconds)
            fields.integers("protocols", &protocols)
            fields.integer("w", &width)
            fields.integer("h", &height)
            fields.text("podid", &podID)
            fields.integer("podseq", &podSequence)
            fields.integers("rqddurs", &exactSeconds)
            fields.integer("placement", &oldPlacement)
            fields.integer("plcmt", &placement)
            fields.integer("linearity", &linearity)
            fields.integer("skip", &isSkippable)
            fields.integer("skipmin", &skipMinimumSeconds)
            fields.integer("skipafter", &skipAfterSeconds)
            fields.integer("slotinpod", &slotInPod)
            fields.micros("mincpmpersec", &floorPerSecondMicros)
        }

        private mutating func playingFields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.integers("battr", &blockedAttributes)
            fields.integer("maxextended", &extendedSeconds)
            fields.integer("minbitrate", &minimumBitrate)
            fields.integer("maxbitrate", &maximumBitrate)
            fields.integer("boxingallowed", &isBoxingAllowed)
            fields.integers("playbackmethod", &playbackMethods)
            fields.integer("playbackend", &playbackEnd)
            fields.integers("delivery", &deliveries)
            fields.integer("pos", &position)
            fields.objects("companionad", &companions)
            fields.integers("api", &apis)
            fields.integers("companiontype", &companionTypes)
        }
    }
}
