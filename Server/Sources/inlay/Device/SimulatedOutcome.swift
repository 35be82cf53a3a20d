/// What became of a simulated device; the number is the command's exit code.
enum SimulatedOutcome: Int32 {
    case paired = 0
    case noLight = 10
    case networkNotFound = 11
    case wrongPassword = 12
    case noInternet = 13
    case refused = 14
    case unreadable = 15
}
