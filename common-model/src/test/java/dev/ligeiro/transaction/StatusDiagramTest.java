package dev.ligeiro.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StatusDiagramTest {

    private static final Path README = Path.of("README.md");

    /** On a failure, paste the expected text into common-model/README.md. */
    @ParameterizedTest
    @EnumSource
    void theReadmeShowsEveryMove(Operation operation) throws IOException {
        assertThat(Files.readString(README)).contains(diagram(operation));
    }

    @Test
    void aFinalStatusHasNoArrow() {
        assertThat(diagram(Operation.CASHIN)).contains("--> denied").doesNotContain("denied -->");
    }

    private static String diagram(Operation operation) {
        StringBuilder diagram = new StringBuilder("```mermaid\nstateDiagram-v2\n    direction LR\n");
        diagram.append("    [*] --> pending : ").append(operation.code()).append('\n');
        for (Status from : Status.values()) {
            for (Status to : Transition.allowed(operation, from)) {
                diagram.append("    %s --> %s%n".formatted(from.code(), to.code()));
            }
        }
        return diagram.append("```\n").toString();
    }
}
