package dev.ligeiro.infra.loadtest.report;

import java.util.LinkedHashMap;
import java.util.Locale;

/** The cells of a table's row by column. */
public final class Row extends LinkedHashMap<String, String> {

    public Row with(String column, String cell) {
        put(column, cell);
        return this;
    }

    public Row with(String column, long number) {
        return with(column, Long.toString(number));
    }

    public Row with(String column, String format, double number) {
        return with(column, String.format(Locale.ROOT, format, number));
    }
}
