import InlayWire

extension OpenRTB {
    /// A video that may fill an impression.
    package struct Video: RTBObject {
        /// Types of files that are played; at least one.
        package var mimes: [String]?
        /// The shortest that is taken.
        package var minimumSeconds: Int?
        /// The longest that is taken.
        package var maximumSeconds: Int?
        /// 0 before the content.
        package var startDelay: Int?
        /// The most ads of a pod.
        package var maximumAds: Int?
        /// The length of a pod.
        package var podSeconds: Int?
        /// Answers that are read: 2, 3, 5, 6 are VAST 2, 3 and their wrappers, 7, 8 VAST 4 and 11…14 4.1
        /// and 4.2.
        package var protocols: [Int]?
        /// In points.
        package var width: Int?
        /// In points.
        package var height: Int?
        /// The pod.
        package var podID: String?
        /// Its place in the content.
        package var podSequence: Int?
        /// The only lengths that are taken; excludes least and most.
        package var exactSeconds: [Int]?
        /// Superseded by `placement`, read for older requests.
        package var oldPlacement: Int?
        /// 1 in-stream, 2 beside content, 3 interstitial, 4 no content.
        package var placement: Int?
        /// 1 linear, 2 over the content.
        package var linearity: Int?
        /// 1: it can be skipped.
        package var isSkippable: Int?
        /// Only longer ones can be skipped.
        package var skipMinimumSeconds: Int?
        /// From then on it can be skipped.
        package var skipAfterSeconds: Int?
        /// Which slot of the pod is sold.
        package var slotInPod: Int?
        /// The least price per thousand for each second.
        package var floorPerSecondMicros: Int64?
        /// Attributes of creatives that are not wanted.
        package var blockedAttributes: [Int]?
        /// How much longer it may play.
        package var extendedSeconds: Int?
        /// In kbit/s.
        package var minimumBitrate: Int?
        /// In kbit/s.
        package var maximumBitrate: Int?
        /// 1: 4:3 may stand in 16:9.
        package var isBoxingAllowed: Int?
        /// How it starts.
        package var playbackMethods: [Int]?
        /// When it ends.
        package var playbackEnd: Int?
        /// 1 streaming, 2 progressive, 3 download.
        package var deliveries: [Int]?
        /// Where on the screen.
        package var position: Int?
        /// Banners beside or after the video.
        package var companions: [Banner] = []
        /// Frameworks; 7 is OMID.
        package var apis: [Int]?
        /// 1 static, 2 HTML, 3 iframe.
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
