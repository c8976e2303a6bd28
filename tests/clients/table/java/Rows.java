import java.util.Locale;

/** Prints what a client did and got: a JSON object per line, which run.py reads. */
final class Rows {
    interface Act { String run() throws Exception; }

    /** What run.py hands over in the environment. */
    static String given(String name) { return System.getenv("CLIENT_" + name); }

    /** Runs an action, and prints its outcome. An exception is a fault. */
    static void row(String did, Act act) {
        String got;
        boolean ok = true;
        try {
            got = act.run();
        } catch (Throwable error) {
            ok = false;
            got = error.getClass().getSimpleName() + ": " + error.getMessage();
            if (error.getCause() != null) got += " | " + error.getCause().getMessage();
        }
        System.out.println("{\"did\": " + quoted(did) + ", \"got\": " + quoted(got) + ", \"ok\": " + ok + "}");
    }

    /** The text, if it is a transcript of the recording. */
    static String heard(String text) {
        if (text == null || !text.toLowerCase(Locale.ROOT).contains(given("WORD")))
            throw new IllegalStateException("not the recording's text: " + text);
        return text.strip();
    }

    static void want(boolean condition, Object otherwise) {
        if (!condition) throw new IllegalStateException(String.valueOf(otherwise));
    }

    private static String quoted(String text) {
        var out = new StringBuilder("\"");
        String.valueOf(text).codePoints().forEach(c -> {
            if (c == '"' || c == '\\') out.append('\\').appendCodePoint(c);
            else if (c < ' ') out.append(String.format("\\u%04x", c));
            else out.appendCodePoint(c);
        });
        return out.append('"').toString();
    }
}
