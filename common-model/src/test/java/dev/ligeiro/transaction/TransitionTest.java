package dev.ligeiro.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TransitionTest {

    /** One row per status before, one column per status after; {@code x} is a move, {@code .} is none. */
    private static final String CASHIN =
            """
            from \\ to    pending  paid  denied  canceled  refund  in_process  in_analysis  expired
            pending         .      x      x        x        .         .            x          x
            paid            .      .      .        .        x         .            .          .
            denied          .      .      .        .        .         .            .          .
            canceled        .      .      .        .        .         .            .          .
            refund          .      .      .        .        .         .            .          .
            in_process      .      .      .        .        .         .            .          .
            in_analysis     .      x      x        .        .         .            .          .
            expired         .      x      .        .        .         .            .          .
            """;

    private static final String CASHOUT =
            """
            from \\ to    pending  paid  denied  canceled  refund  in_process  in_analysis  expired
            pending         .      .      x        x        .         x            x          x
            paid            .      .      .        .        x         .            .          .
            denied          .      .      .        .        .         .            .          .
            canceled        .      .      .        .        .         .            .          .
            refund          .      .      .        .        .         .            .          .
            in_process      .      x      x        .        .         .            .          .
            in_analysis     .      .      x        x        .         x            .          .
            expired         .      .      .        .        .         .            .          .
            """;

    @ParameterizedTest(name = "{0}: {1} to {2}: {3}")
    @MethodSource("grid")
    void hasTheMovesOfTheTableAndNoOther(Operation operation, Status from, Status to, boolean expected) {
        assertThat(Transition.allowed(operation, from).contains(to)).isEqualTo(expected);
    }

    @Test
    void theTableCoversEveryOperationAndEveryPairOfStatuses() {
        int statuses = Status.values().length;
        assertThat(grid().map(cell -> List.of(cell.get()[0], cell.get()[1], cell.get()[2])))
                .doesNotHaveDuplicates()
                .hasSize(Operation.values().length * statuses * statuses);
    }

    static Stream<Arguments> grid() {
        return Stream.concat(cells(Operation.CASHIN, CASHIN), cells(Operation.CASHOUT, CASHOUT));
    }

    private static Stream<Arguments> cells(Operation operation, String table) {
        List<String[]> lines =
                table.lines().map(line -> line.trim().split("\\s+")).toList();
        // the corner, "from \ to", is three words
        String[] heads = lines.get(0);
        List<Status> columns =
                Arrays.stream(heads, 3, heads.length).map(Status::fromCode).toList();
        return lines.stream().skip(1).flatMap(row -> IntStream.range(0, columns.size())
                .mapToObj(column -> Arguments.of(
                        operation, Status.fromCode(row[0]), columns.get(column), row[column + 1].equals("x"))));
    }
}
