"""Parts of columns that a variable may hold."""

from __future__ import annotations

from migrate.columns.pieces import Piece, named, pieces_in, with_variables, written_out

PARTS = Piece('F.split("line", ",")', pattern=",")


def test_code_says_which_pieces_it_is_written_of_and_how_often() -> None:
    code = f"{named(PARTS)}[0] == {named(PARTS)}[1]"
    assert pieces_in(code) == [PARTS, PARTS]
    assert pieces_in(PARTS.code) == []
    assert with_variables(code, {PARTS: "parts"}) == "parts[0] == parts[1]"
    assert written_out(code) == 'F.split("line", ",")[0] == F.split("line", ",")[1]'


def test_the_same_code_has_the_same_name() -> None:
    assert named(PARTS) == named(Piece(PARTS.code, pattern=","))
    assert named(PARTS) != named(Piece('F.split("line", ";")', pattern=";"))


def test_a_piece_inside_of_another_is_written_out_with_it() -> None:
    known = Piece(f"{named(PARTS)}[0].isin(*words)", among="words")
    assert pieces_in(named(known)) == [known]
    assert with_variables(named(known), {PARTS: "parts"}) == named(known)
    assert written_out(f"~{named(known)}") == '~F.split("line", ",")[0].isin(*words)'
