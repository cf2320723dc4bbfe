package dev.ligeiro.gateway.operator.console;

import java.util.List;

/**
 * A page.
 *
 * @param sub a line below the title; {@code ""} for none
 * @param livePath of the page itself, if it is fetched again when the status changes; {@code ""} otherwise
 */
public record OperatorView(String title, String sub, List<Block> blocks, String livePath) {

    static OperatorView of(String title, Block... blocks) {
        return new OperatorView(title, "", List.of(blocks), "");
    }

    OperatorView below(String line) {
        return new OperatorView(title, line, blocks, livePath);
    }
}
