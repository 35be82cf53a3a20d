/// Addresses and names of this machine and of private networks, in every spelling that reaches them.
enum PrivateHosts {
    static let all = [
        "127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "localhost", "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:a00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "169.254.169.254", "10.0.0.1", "172.16.0.1",
        "192.168.1.1", "100.64.0.1", "0.0.0.0", "224.0.0.1", "[fe80::1]", "[fd00::1]", "[ff02::1]",
    ]
}
