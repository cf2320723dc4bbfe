package dev.ligeiro.gateway.operator.console;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a page, as {@code operator/page.jte} writes it. All texts are of the reader's language. */
public sealed interface Block {

    /** One line that stands out. */
    record Notice(String style, String text) implements Block {}

    /** What needs a person, the most urgent first. */
    record Attention(List<AttentionLine> lines) implements Block {}

    /** Figures side by side. */
    record Cards(List<Card> cards) implements Block {}

    /** Blocks side by side, where there is room. */
    record Group(List<Block> blocks) implements Block {}

    /** Names and values. */
    record Facts(String title, List<Fact> facts, List<Link> links) implements Block {}

    /**
     * A table.
     *
     * @param filters ways to see other rows
     * @param empty what it says without rows
     * @param more the next page; null on the last one
     */
    record Rows(
            String title,
            List<Link> filters,
            List<String> columns,
            List<Row> rows,
            String empty,
            List<Link> links,
            @Nullable Link more)
            implements Block {

        Rows with(Link link) {
            return new Rows(title, filters, columns, rows, empty, List.of(link), more);
        }

        /** @param path of the next page */
        Rows more(OperatorText text, String path) {
            return new Rows(title, filters, columns, rows, empty, links, Link.to(text.of("next_page"), path));
        }

        public boolean hasLinks() {
            return rows.stream().anyMatch(row -> !row.links().isEmpty());
        }
    }

    /** The history of a transaction, the newest entry first. */
    record Timeline(String title, List<Moment> moments) implements Block {}

    /** A field and a button that ask for other rows. */
    record Search(String path, String name, String label, String value, String button, String hint) implements Block {}

    record AttentionLine(String severity, String severityText, String text, String since, Cell runbook, Link link) {}

    record Card(String label, String figure, String note, String style, @Nullable String path) {}

    record Fact(String name, Cell value) {}

    record Row(List<Cell> cells, List<Link> links) {}

    record Moment(String style, String title, String at, String detail) {}

    /**
     * A value.
     *
     * @param path the page about it; null for none
     * @param style a class of the style sheet: {@code code}, {@code number}, {@code badge good}, …; {@code ""} for none
     */
    record Cell(String text, @Nullable String path, String style) {}

    /**
     * A link to a page or form.
     *
     * @param about the row that the link belongs to, for screen readers only; {@code ""} for none
     * @param isCurrent whether it is the page that is shown
     */
    record Link(String text, String path, String style, String about, boolean isCurrent) {

        static Link to(String text, String path) {
            return new Link(text, path, "", "", false);
        }

        static Link button(String text, String path) {
            return new Link(text, path, "button plain", "", false);
        }

        Link about(String what) {
            return new Link(text, path, style, what, isCurrent);
        }
    }
}
