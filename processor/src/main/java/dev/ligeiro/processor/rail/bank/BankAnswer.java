package dev.ligeiro.processor.rail.bank;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.processor.rail.RailFault;
import io.netty.buffer.ByteBufAllocator;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * A bank's answer to a call.
 *
 * @param body missing when it is not JSON
 */
public record BankAnswer(int status, JsonNode body) {

    static final JsonMapper JSON = JsonMapper.shared();

    private static final NettyDataBufferFactory BUFFERS = new NettyDataBufferFactory(ByteBufAllocator.DEFAULT);
    private static final int BUFFER_MIN = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(BankAnswer.class);

    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;
    private static final int TOO_MANY = 429;

    private static final Pattern CODE = Pattern.compile("[a-zA-Z0-9_-]{1,64}");
    /** Of a path that does not exist. */
    private static final String NO_RESOURCE = "NaoEncontrado";

    private static final Pattern NOT_FOUND_ID = Pattern.compile("(?i)\\w+nao_?encontrad[ao]");

    /** Every validation and state error of the Pix API ends so, and Efí's {@code chave_invalida} and {@code valor_invalido}. */
    private static final Pattern INVALID = Pattern.compile("(?i)\\w+invalid[ao]");

    /** Efí's other rejections, and that of an account without enough money. */
    private static final Set<String> REJECTIONS =
            Set.of("documento_bloqueado", "chave_nao_pertence_ao_documento", "pagamento_negado", "saldo_insuficiente");

    /** Efí's empty bucket, in both of its spellings, and Celcoin's identical payment that is pending: the submission has not begun. */
    private static final Set<String> TRY_LATER = Set.of("balde_fichas_vazio", "baldefichasvazio", "cbe100");

    /**
     * What a bank sends, as an answer with this status. Each buffer is copied and released at once: a body may come in chunks of one byte, and
     * Spring's codecs keep a buffer of more than 100 bytes for each. Fails with a {@link DataBufferLimitException} above {@code BANK_ANSWER}.
     */
    public static Mono<BankAnswer> read(int status, Flux<DataBuffer> body) {
        return Mono.using(
                () -> BUFFERS.allocateBuffer(BUFFER_MIN),
                all -> body.doOnNext(buffer -> add(all, buffer)).then(Mono.fromSupplier(() -> of(status, bytes(all)))),
                DataBufferUtils::release);
    }

    private static void add(DataBuffer all, DataBuffer buffer) {
        try {
            if (all.readableByteCount() + buffer.readableByteCount() > ProcessorMemoryBudget.BANK_ANSWER) {
                throw new DataBufferLimitException("more than " + ProcessorMemoryBudget.BANK_ANSWER + " bytes");
            }
            all.write(buffer);
        } finally {
            DataBufferUtils.release(buffer);
        }
    }

    private static byte[] bytes(DataBuffer all) {
        byte[] bytes = new byte[all.readableByteCount()];
        all.read(bytes);
        return bytes;
    }

    /** Of a body that may be no JSON. */
    static BankAnswer of(int status, byte[] body) {
        try {
            return new BankAnswer(status, JSON.readTree(body));
        } catch (JacksonException broken) {
            return new BankAnswer(status, MissingNode.getInstance());
        }
    }

    public boolean isDone() {
        return status == OK || status == CREATED;
    }

    /**
     * The body of a good answer.
     *
     * @throws RailFault if it is not done, or no JSON
     */
    public JsonNode json() {
        if (!isDone() || body.isMissingNode()) {
            throw fault();
        }
        return body;
    }

    /** Whether an answer or a notice is above {@link ProcessorMemoryBudget#BANK_ANSWER}. */
    public static boolean isTooLarge(Throwable failure) {
        return failure instanceof DataBufferLimitException;
    }

    boolean isUnauthorized() {
        return status == UNAUTHORIZED;
    }

    /**
     * The outcome of a write that is not done. A refusal is read back: something between us and the bank may have sent the call twice, and
     * the second one is refused because the first one worked. The bank has accepted a duplicate, so its outcome follows. 401 and 429 are
     * given before anything is done. A refusal by a name that is not known as a rejection may be one for now only: its outcome is unknown.
     * All other answers say nothing.
     *
     * @param read asks for what the write should have made
     * @param rejections more names by which this bank rejects, see {@link BankProperties#rejections}
     * @throws RailFault
     */
    public Mono<RailOutcome> ofWrite(Mono<RailOutcome> read, Set<String> rejections) {
        if (status == UNAUTHORIZED || status == TOO_MANY) {
            return Mono.just(new RailOutcome.NotStarted());
        }
        // an unknown receiver's key is 404; a wrong path or a proxy does not say it so precisely
        if (!isRefused() && !(status == NOT_FOUND && hasName())) {
            throw fault();
        }
        return read.map(found -> found instanceof RailOutcome.NotFound ? refused(rejections) : found);
    }

    private RailOutcome refused(Set<String> rejections) {
        String error = error().toLowerCase(Locale.ROOT);
        if (error.contains("duplicad")) {
            return new RailOutcome.Pending();
        }
        if (TRY_LATER.contains(error)) {
            return new RailOutcome.NotStarted();
        }
        boolean isRejection = status == NOT_FOUND
                || REJECTIONS.contains(error)
                || INVALID.matcher(error).matches()
                || rejections.stream().anyMatch(error::equalsIgnoreCase);
        if (isRejection) {
            return new RailOutcome.Rejected(error());
        }
        LOG.atWarn()
                .addKeyValue("event.action", "refusal_unlisted")
                .addKeyValue("status", status)
                .addKeyValue("error", error())
                .log(
                        "A bank has refused a call for a reason that is not listed as a rejection; its outcome is unknown, and the"
                                + " bank is asked. If the reason is final, list it in ligeiro.rails.<rail>.rejections");
        return new RailOutcome.Unknown();
    }

    /**
     * The outcome of a read that is not done. That the id is not found must be said by the API itself: a wrong path or a proxy answers 404
     * too.
     *
     * @throws RailFault
     */
    public RailOutcome ofRead() {
        if (status == NOT_FOUND && NOT_FOUND_ID.matcher(error()).matches()) {
            return new RailOutcome.NotFound();
        }
        if (status == TOO_MANY) {
            return new RailOutcome.Unknown();
        }
        throw fault();
    }

    /** Whether the bank has refused the content of the call. */
    private boolean isRefused() {
        return status == BAD_REQUEST || status == CONFLICT || status == UNPROCESSABLE;
    }

    /** The last part of the problem's {@code type}, or Efí's {@code nome}; otherwise the status. */
    private String error() {
        return hasName() ? name() : "http_" + status;
    }

    /** Whether the API itself has said what is wrong with the call. */
    private boolean hasName() {
        return CODE.matcher(name()).matches() && !name().equals(NO_RESOURCE);
    }

    private String name() {
        String type = body.path("type").asString("");
        return type.isEmpty() ? body.path("nome").asString("") : type.substring(type.lastIndexOf('/') + 1);
    }

    private RailFault fault() {
        return new RailFault("status: " + status + (body.isMissingNode() ? " without JSON" : " " + error()));
    }
}
