extension VASTReader {
    /// Adds the files of an element `MediaFiles`: media files, captions, mezzanines and interactive code.
    mutating func files(_ element: XMLTree, into linear: inout VASTLinear) {
        for child in element.elements {
            switch child.vastName {
            case "MediaFile": take(mediaFile(child, "Linear/MediaFile"), "MediaFile", &linear.mediaFiles)
            case "Mezzanine":
                let file = mediaFile(child, "Linear/Mezzanine").map {
                    VASTMezzanine(file: $0, bytes: child.byteCount("fileSize"))
                }
                take(file, "Mezzanine", &linear.mezzanines)
            case "InteractiveCreativeFile":
                take(interactiveFile(child), "InteractiveCreativeFile", &linear.interactiveFiles)
            case "ClosedCaptionFiles":
                for file in child.elements where file.vastName == "ClosedCaptionFile" {
                    take(caption(file), "ClosedCaptionFile", &linear.captions)
                }
            default: break
            }
        }
    }

    private mutating func take<File>(_ file: File?, _ name: String, _ files: inout [File]) {
        guard let file else { return }
        guard files.count < limits.files else { return fault("Linear/\(name)", "more than \(limits.files)") }
        files.append(file)
    }

    private mutating func mediaFile(_ element: XMLTree, _ path: String) -> VASTMediaFile? {
        guard let type = element.attribute("type")?.lowercased() else {
            fault(path, "no type")
            return nil
        }
        var file: VASTMediaFile?
        address(element, path) { address in
            file = VASTMediaFile(
                address: address, type: type, width: element.number("width") ?? 0,
                height: element.number("height") ?? 0,
                delivery: element.attribute("delivery")?.lowercased() == "streaming"
                    ? .streaming : .progressive,
                bitrate: Self.bitrate(element), codec: element.attribute("codec"),
                apiFramework: element.attribute("apiFramework"))
        }
        return file
    }

    private static func bitrate(_ element: XMLTree) -> Int? {
        if let rate = element.number("bitrate"), rate > 0 { return rate }
        guard let minimum = element.number("minBitrate"), let maximum = element.number("maxBitrate"),
            maximum > 0
        else {
            return nil
        }
        return (minimum + maximum) / 2
    }

    private mutating func interactiveFile(_ element: XMLTree) -> VASTInteractiveFile? {
        var file: VASTInteractiveFile?
        address(element, "Linear/InteractiveCreativeFile") { address in
            file = VASTInteractiveFile(
                address: address, type: element.attribute("type")?.lowercased() ?? "",
                apiFramework: element.attribute("apiFramework"),
                variesDuration: element.flag("variableDuration") ?? false)
        }
        return file
    }

    private mutating func caption(_ element: XMLTree) -> VASTCaption? {
        var file: VASTCaption?
        address(element, "Linear/ClosedCaptionFile") { address in
            file = VASTCaption(
                address: address, type: element.attribute("type")?.lowercased() ?? "",
                language: element.attribute("language"))
        }
        return file
    }
}
