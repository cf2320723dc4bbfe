package dev.ligeiro.processor.rail.bank;

import static dev.ligeiro.processor.ProcessorMemoryBudget.BANK_ANSWER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.rail.RailFault;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** What an answer means that is not the expected one. */
class BankAnswerTest {

    private static final String BACEN = "{\"type\":\"https://pix.bcb.gov.br/api/v2/error/%s\",\"title\":\"x\"}";
    private static final String EFI = "{\"nome\":\"%s\",\"mensagem\":\"x\"}";

    @ParameterizedTest
    @CsvSource({
        // status, error, outcome of a write, outcome of a read; a fault is an outcome that is unknown and counts for
        // the circuit breaker
        "400, CobOperacaoInvalida, rejected, fault",
        "409, CobOperacaoInvalida, rejected, fault",
        "422, pagamento_negado, rejected, fault",
        "400, chave_invalida, rejected, fault",
        "400, documento_bloqueado, rejected, fault",
        "400, RequisicaoInvalida, rejected, fault",
        "422, LIMITE_DA_CONTA, rejected, fault",
        // an identical payment is pending, or nothing is left of a bucket: nothing has begun
        "400, CBE100, not_started, fault",
        "409, BaldeFichasVazio, not_started, fault",
        "422, balde_fichas_vazio, not_started, fault",
        // what no rail lists as a rejection
        "400, webhook_nao_cadastrado, unknown, fault",
        "409, pagamento_identico_pendente, unknown, fault",
        "422, ErroDesconhecido, unknown, fault",
        "400, , unknown, fault",
        "422, , unknown, fault",
        "409, id_envio_duplicado, pending, fault",
        "409, txid_duplicado, pending, fault",
        "400, devolucao_id_duplicado, pending, fault",
        "404, CobNaoEncontrado, rejected, not_found",
        "404, PixDevolucaoNaoEncontrada, rejected, not_found",
        "404, PixEnviadoNaoEncontrado, rejected, not_found",
        "404, chave_favorecido_nao_encontrada, rejected, not_found",
        "404, NaoEncontrado, fault, fault",
        "404, , fault, fault",
        "401, AcessoNegado, not_started, fault",
        "403, AcessoNegado, fault, fault",
        "408, , fault, fault",
        "429, balde_fichas_vazio, not_started, unknown",
        "500, ErroInternoDoServidor, fault, fault",
        "503, , fault, fault",
        "204, , fault, fault",
    })
    void eachStatusHasItsOutcome(int status, String error, String write, String read) {
        for (String form : new String[] {BACEN, EFI}) {
            String body = error == null ? "<html>" : form.formatted(error);
            BankAnswer answer = BankAnswer.of(status, body.getBytes(StandardCharsets.UTF_8));

            assertThat(code(() -> write(answer, new RailOutcome.NotFound())))
                    .as("%s %s", status, body)
                    .isEqualTo(write);
            assertThat(code(answer::ofRead)).as("%s %s", status, body).isEqualTo(read);
        }
    }

    @Test
    void aRefusedWriteThatHasWorkedBeforeCountsAsWhatItMade() {
        BankAnswer refused =
                BankAnswer.of(400, BACEN.formatted("PixDevolucaoInvalida").getBytes(StandardCharsets.UTF_8));

        assertThat(write(refused, RailOutcome.Settled.asAgreed())).isEqualTo(RailOutcome.Settled.asAgreed());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"valor\":10.00}           | valor: another number (expected: an amount such as 10.00)",
                "{\"valor\":\"10.0\"}        | valor: another string (expected: an amount such as 10.00)",
                "{\"valor\":\"-10.00\"}      | valor: another string (expected: an amount such as 10.00)",
                "{\"valor\":null}            | valor: another null (expected: an amount such as 10.00)",
                "{}                          | valor: missing (expected: an amount such as 10.00)",
            })
    void anAmountIsATextWithTwoDecimals(String json, String refusal) {
        assertThatThrownBy(() -> BankFields.amount(json(json), "valor"))
                .isInstanceOf(RailFault.class)
                .hasMessage(refusal);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-26T10:00:00",
        "2026-11-26",
        "1795687200",
        "26/11/2026 10:00",
        "+999999999-12-31T23:59:59Z",
        "1970-01-01T00:00:00Z"
    })
    void aTimeWithoutAZoneOrFarAwayIsRefused(String time) {
        assertThatThrownBy(() -> BankFields.time(json("{\"horario\":\"" + time + "\"}"), "horario"))
                .isInstanceOf(RailFault.class)
                .hasMessage("horario: another string (expected: a time with a zone)");
    }

    @ParameterizedTest
    @CsvSource({
        "200, <html>, status: 200 without JSON",
        "200, '{\"pix\":', status: 200 without JSON",
        "503, {}, status: 503 http_503"
    })
    void aBodyIsTheJsonOfAGoodAnswer(int status, String body, String refusal) {
        BankAnswer answer = BankAnswer.of(status, body.getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(answer::json).isInstanceOf(RailFault.class).hasMessage(refusal);
    }

    @ParameterizedTest
    @CsvSource({"../pix", "E1?x=1", "''", "a/b"})
    void anIdThatWouldChangeAPathIsRefused(String id) {
        assertThatThrownBy(() -> BankFields.id(json("{\"endToEndId\":\"" + id + "\"}"), "endToEndId"))
                .isInstanceOf(RailFault.class)
                .hasMessage("endToEndId: another string (expected: letters and digits)");
    }

    /** Regression: 131,000 chunks of one byte were as many objects, 20 MB. */
    @Test
    void chunksAreCopiedAndReleasedAtOnceUpToTheLimit() {
        String largest = '"' + "x".repeat(BANK_ANSWER - 2) + '"';
        assertThat(read(largest).json().stringValue()).hasSize(BANK_ANSWER - 2);
        assertThat(read("").body().isMissingNode()).isTrue();

        assertThatThrownBy(() -> read(largest + " "))
                .satisfies(failure -> assertThat(BankAnswer.isTooLarge(failure)).isTrue());
    }

    /** In chunks of one byte, each of which must be released before the next one comes. */
    private static BankAnswer read(String body) {
        NettyDataBufferFactory buffers = new NettyDataBufferFactory(ByteBufAllocator.DEFAULT);
        List<ByteBuf> sent = new ArrayList<>();
        try {
            return Objects.requireNonNull(
                    BankAnswer.read(200, Flux.range(0, body.length()).map(i -> {
                                assertThat(sent).allMatch(chunk -> chunk.refCnt() == 0);
                                sent.clear();
                                sent.add(Unpooled.wrappedBuffer(new byte[] {(byte) body.charAt(i)}));
                                return buffers.wrap(sent.get(0));
                            }))
                            .block());
        } finally {
            assertThat(sent).allMatch(chunk -> chunk.refCnt() == 0);
        }
    }

    private static RailOutcome write(BankAnswer answer, RailOutcome read) {
        return Objects.requireNonNull(
                answer.ofWrite(Mono.just(read), Set.of("limite_da_conta")).block());
    }

    private static JsonNode json(String json) {
        return BankAnswer.of(200, json.getBytes(StandardCharsets.UTF_8)).body();
    }

    private static String code(Supplier<RailOutcome> outcome) {
        try {
            return outcome.get().code();
        } catch (RailFault fault) {
            return "fault";
        }
    }
}
