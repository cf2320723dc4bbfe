package dev.ligeiro.gateway.operator.console;

import dev.ligeiro.gateway.operator.admin.Role;
import dev.ligeiro.gateway.operator.console.Block.Cell;
import dev.ligeiro.gateway.operator.console.Block.Fact;
import dev.ligeiro.gateway.operator.console.Block.Link;
import dev.ligeiro.gateway.operator.console.Block.Row;
import dev.ligeiro.gateway.operator.console.Block.Rows;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Makes blocks of the objects of the admin API. */
final class RowsOf {

    private RowsOf() {}

    static List<Fact> facts(Values item, Function<Values, Map<String, Cell>> cells) {
        return cells.apply(item).entrySet().stream()
                .map(cell -> new Fact(item.text().of("column." + cell.getKey()), cell.getValue()))
                .toList();
    }

    static Rows rows(
            OperatorVisit visit,
            String name,
            JsonNode items,
            Function<Values, Map<String, Cell>> cells,
            BiFunction<OperatorVisit, Values, List<Link>> links) {
        OperatorText text = visit.text();
        return new Rows(
                text.of("table." + name),
                List.of(),
                columns(text, items, cells),
                items(visit, items, cells, links),
                text.of("empty." + name),
                List.of(),
                null);
    }

    static BiFunction<OperatorVisit, Values, List<Link>> none() {
        return (visit, item) -> List.of();
    }

    static List<Link> may(OperatorVisit visit, Role role, Link... links) {
        return visit.may(role) ? List.of(links) : List.of();
    }

    /** Those of the first item; an item has the same cells as all others of its list. */
    static List<String> columns(OperatorText text, JsonNode items, Function<Values, Map<String, Cell>> cells) {
        return items.isEmpty()
                ? List.of()
                : cells.apply(new Values(text, items.path(0))).keySet().stream()
                        .map(key -> text.of("column." + key))
                        .toList();
    }

    static List<Row> items(
            OperatorVisit visit,
            JsonNode items,
            Function<Values, Map<String, Cell>> cells,
            BiFunction<OperatorVisit, Values, List<Link>> links) {
        return items.valueStream()
                .map(item -> new Values(visit.text(), item))
                .map(item -> new Row(List.copyOf(cells.apply(item).values()), links.apply(visit, item)))
                .toList();
    }
}
