@testable import Accounts
@testable import Service
import Testing

@Suite struct UsernameTests {
  private func fault(_ text: String) -> InvalidUsername? {
    do {
      _ = try Username(text)
      return nil
    } catch { return error }
  }

  @Test(arguments: [
    "ana", "Ana.Silva", "a_b-c.d", "joão", "José-1", "анна", "王小明", "ひろし", "김민준", "देवी", "สมชาย",
    "محمد", "Ελένη", "x23", String(repeating: "a", count: 40),
  ])
  func `names in a single script are accepted unchanged`(text: String) throws {
    #expect(try Username(text).text.unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test(arguments: [
    ("", InvalidUsername.tooShort), ("ab", .tooShort), ("  ab  ", .tooShort),
    (String(repeating: "a", count: 41), .tooLong),
    ("a" + String(repeating: "\u{301}", count: 10_000), .tooLong),
    ("ana@example.org", .characters), ("a na", .characters), ("ana!", .characters),
    ("<img", .characters), ("ana\u{202E}", .characters), ("ana\u{200D}b", .characters),
    ("123", .characters), ("1.2", .characters), ("🦊🦊🦊", .characters), ("ａｎａ", .characters),
    ("x\u{301}\u{302}\u{303}\u{304}y", .characters),
    (".ana", .separators), ("ana.", .separators), ("a..b", .separators), ("a-_b", .separators),
    ("anа", .scripts), ("αna", .scripts), ("ana王", .scripts),
    ("admin", .reserved), ("Admin", .reserved), ("a.d.m.i.n", .reserved), ("4dm1n", .reserved),
    ("Farol", .reserved), ("moderator", .reserved), ("segurança", .reserved),
    ("adrnin", .reserved), ("rnoderat0r", .reserved), ("adm\u{131}n", .reserved),
    ("Аdmin", .scripts), ("ka\u{17B4}ka", .characters), ("កា\u{17B5}ក", .characters),
  ])
  func `an invalid name is refused with its reason`(text: String, expected: InvalidUsername) {
    #expect(fault(text) == expected, "\(text)")
  }

  @Test func `name lengths are limited, tested on both sides of each limit`() {
    #expect(fault("abc") == nil)
    #expect(fault("ab") == .tooShort)
    #expect(fault(String(repeating: "a", count: 40)) == nil)
    #expect(fault("administra") == nil)
  }

  @Test(arguments: [
    ("ana", "ANA"), ("joao", "João"), ("ana", "ána"), ("coco", "сосо"), ("ana", "  ana "),
    ("Straße", "STRASSE"), ("é-e", "e\u{301}-e"),
  ])
  func `look-alike names have the same key`(one: String, other: String) throws {
    #expect(try Username(one).key == Username(other).key)
  }

  @Test(arguments: [("ana", "anna"), ("a.b", "a-b"), ("ana1", "anal"), ("देवी", "देवा")])
  func `names that look different have different keys`(one: String, other: String) throws {
    #expect(try Username(one).key != Username(other).key)
  }

  @Test func `a name is stored in one normal form`() throws {
    #expect(try Username("jose\u{301}").text.unicodeScalars.count == 4)
  }

  @Test(arguments: [
    ("held-admin", "heId-admin"), ("held-admin", "he1d-admin"), ("held-admin", "held-adrnin"),
    ("held-admin", "held_admin"), ("held-admin", "heldadmin"), ("held-admin", "helcl.admin"),
    ("held-admin", "held-adm1n"), ("held-admin", "HELD-ADMLN"), ("oscar", "0scar"),
    ("wanda", "vvanda"), ("paypal", "раураl"), ("сосо", "coco"), ("joão", "j0ao"),
    ("lukasz", "łukasz"), ("ørsted", "orsted"), ("Άννα", "avva"), ("ニ二ニ", "二ニ二"),
    ("mario", "rnario"), ("m4rio", "rn4rio"), ("iii", "lIl"),
  ])
  func `confusable names have the same skeleton`(one: String, other: String) {
    #expect(LookAlikes.look(of: one) == LookAlikes.look(of: other), "\(one) \(other)")
  }

  @Test(arguments: [
    ("ana", "anna"), ("ana", "ava"), ("rui", "ruy"), ("user2", "user3"), ("anna", "hanna"),
    ("देवी", "देवा"), ("王小明", "王大明"), ("김민준", "김민수"), ("анна", "инна"), ("Ελένη", "Ελίνα"),
  ])
  func `distinguishable names have different skeletons`(one: String, other: String) {
    #expect(LookAlikes.look(of: one) != LookAlikes.look(of: other), "\(one) \(other)")
  }

  @Test func `the skeleton of a skeleton is the skeleton`() {
    for scalar in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".unicodeScalars {
      let look = LookAlikes.look(of: String(scalar))
      #expect(!look.isEmpty)
      #expect(LookAlikes.look(of: look) == look, "\(scalar)")
    }
  }
}
