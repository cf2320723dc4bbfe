package dev.ligeiro.gateway.operator.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.transaction.UuidV7;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdminPageTest {

    @ParameterizedTest
    @CsvSource({"0, 0,", "100, 100,", "101, 100, 99"})
    void theCursorIsTheLastItemIfThereIsMore(int found, int shown, @Nullable Integer next) {
        List<UUID> ids = LongStream.range(0, found).mapToObj(UuidV7::at).toList();

        assertThat(AdminPage.of(ids, Function.<UUID>identity()))
                .isEqualTo(new AdminPage<>(ids.subList(0, shown), next == null ? null : ids.get(next)));
    }
}
