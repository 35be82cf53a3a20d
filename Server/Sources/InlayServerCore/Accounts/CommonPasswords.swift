import Foundation

/// A check for passwords that attackers try first.
///
/// Lists of known passwords contain few of 15 characters, because people lengthen short ones. So the whole password is
/// compared after the usual changes are undone: capitals, digits in place of letters, repetition, and digits and marks
/// at both ends.
enum CommonPasswords {
    /// Returns the reason why a password is refused, or `nil`.
    static func reason(against password: String, ownWords: [String]) -> String? {
        let repeated = password.lowercased()
        let folded = unit(of: repeated)
        if folded != repeated, folded.count <= 4 {
            return "It repeats a few characters; those are tried first."
        }
        if isRun(folded) { return "It is a row of keys or of the alphabet; those are tried first." }
        let forms = [folded, plain(folded)].flatMap { [$0, core($0)] }
        if forms.contains(where: { isMade(of: words, $0) }) {
            return "It is one of the passwords that are tried first, made longer."
        }
        let own = ownWords.flatMap { [$0, core($0)] }.filter { $0.count >= 3 }
        if forms.contains(where: { isMade(of: Set(own), $0) }) {
            return "It is made of your address or of this app's name."
        }
        return nil
    }

    /// Returns the shortest text of which a text consists, once or repeated, the last time perhaps not whole: `abc` for
    /// `abcabcab`.
    private static func unit(of text: String) -> String {
        let letters = Array(text)
        let length = (1...max(1, letters.count / 2)).first { length in
            letters.indices.allSatisfy { letters[$0] == letters[$0 % length] }
        }
        return String(letters.prefix(length ?? letters.count))
    }

    /// Whether a text is part of a row of keys or of the alphabet, or of such a row written twice, forwards or
    /// backwards.
    private static func isRun(_ text: String) -> Bool {
        let doubled = rows.map { $0 + $0 }
        return doubled.contains { $0.contains(text) || String($0.reversed()).contains(text) }
    }

    /// Whether a text is one word of the list, once or repeated.
    private static func isMade(of words: Set<String>, _ text: String) -> Bool {
        words.contains { word in
            text.contains(word) && text.replacing(word, with: "").allSatisfy { !$0.isLetter }
        }
    }

    /// Returns the text without the digits and marks at both ends.
    private static func core(_ text: String) -> String {
        let start = text.drop { !$0.isLetter }
        guard let last = start.lastIndex(where: \.isLetter) else { return "" }
        return String(start[...last])
    }

    /// Returns the text with letters in place of the digits and marks that stand for them.
    private static func plain(_ text: String) -> String { String(text.map { standIns[$0] ?? $0 }) }

    private static let standIns: [Character: Character] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s", "!": "i",
        "+": "t", "€": "e",
    ]

    private static let rows = [
        "abcdefghijklmnopqrstuvwxyz", "1234567890", "0123456789", "qwertyuiopasdfghjklzxcvbnm",
        "qwertzuiopasdfghjklyxcvbnm", "azertyuiopqsdfghjklmwxcvbn", "1q2w3e4r5t6z7u8i9o0p",
        "1q2w3e4r5t6y7u8i9o0p", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p", "asdfghjkl", "zxcvbnm",
    ]

    /// The words at the top of lists of passwords that people have chosen.
    static let words: Set<String> = [
        "password", "passwort", "passw", "motdepasse", "contraseña", "contrasena", "parola", "senha",
        "wachtwoord",
        "letmein", "welcome", "willkommen", "bienvenue", "admin", "administrator", "root", "user", "guest",
        "login",
        "test", "testing", "default", "secret", "changeme", "qwerty", "qwertz", "azerty", "qwertyuiop",
        "asdfgh",
        "asdfghjkl", "zxcvbnm", "iloveyou", "ichliebedich", "tequiero", "jetaime", "teamo", "loveyou", "love",
        "monkey", "dragon", "football", "baseball", "basketball", "hockey", "soccer", "superman", "batman",
        "spiderman", "pokemon", "starwars", "naruto", "minecraft", "sunshine", "princess", "shadow", "master",
        "michael", "jennifer", "jessica", "charlie", "daniel", "jordan", "ashley", "andrew", "thomas",
        "hannah",
        "michelle", "nicole", "anthony", "matthew", "joshua", "freedom", "whatever", "trustno", "computer",
        "internet", "samsung", "google", "facebook", "instagram", "liverpool", "chelsea", "arsenal",
        "barcelona",
        "juventus", "schalke", "ferrari", "mercedes", "porsche", "harley", "mustang", "corvette", "summer",
        "winter",
        "spring", "autumn", "january", "february", "march", "april", "monday", "friday", "flower", "cookie",
        "cheese",
        "pepper", "banana", "chocolate", "butterfly", "purple", "orange", "yellow", "silver", "golden",
        "diamond",
        "angel", "heaven", "jesus", "blessed", "family", "mother", "father", "babygirl", "sweetheart",
        "lovely",
        "killer", "ninja", "hunter", "soldier", "matrix", "access", "passcode", "thisisapassword",
        "mypassword",
        "correcthorsebatterystaple", "correct horse battery staple", "correct horse battery", "nopassword",
        "hello", "helloworld", "hallo", "bonjour", "lorem ipsum dolor sit amet", "loremipsum", "abc",
        "abcdef",
        "qazwsx", "qazwsxedc", "zaqwsx", "inlay",
    ]
}
