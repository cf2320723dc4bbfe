package dev.ligeiro.desk.audit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/** What handlers tell the audit about their request. */
public final class Audited {

    private static final String MERCHANT = Audited.class.getName() + ".merchant";

    private Audited() {}

    /**
     * The handler shows the personal data of one payer: the read leaves an entry, for the same operator and path at most one in a quarter of
     * an hour. Changes leave an entry without it.
     */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface PersonalData {}

    /** Says which merchant the present request is about whose path does not name one; null says nothing. */
    public static void concerns(@Nullable UUID merchantId) {
        RequestAttributes request = RequestContextHolder.getRequestAttributes();
        if (request != null && merchantId != null) {
            request.setAttribute(MERCHANT, merchantId, RequestAttributes.SCOPE_REQUEST);
        }
    }

    static @Nullable UUID merchant() {
        RequestAttributes request = RequestContextHolder.getRequestAttributes();
        return request == null ? null : (UUID) request.getAttribute(MERCHANT, RequestAttributes.SCOPE_REQUEST);
    }
}
