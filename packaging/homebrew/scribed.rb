class Scribed < Formula
  desc "Speech to text with Whisper: command, OpenAI-compatible server, MCP server"
  homepage "@HOMEPAGE@"
  url "@DOWNLOADS@/scribed-@VERSION@-linux-x86_64.tar.zst"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on arch: :x86_64
  depends_on :linux

  # The programs find each other and their libraries by where they lie, so the tree stays whole.
  def install
    libexec.install Dir["*"]
    bin.install_symlink libexec/"bin/scribed"
    man1.install_symlink Dir[libexec/"share/man/man1/*"]
    bash_completion.install_symlink libexec/"share/bash-completion/completions/scribed"
    zsh_completion.install_symlink libexec/"share/zsh/site-functions/_scribed"
    fish_completion.install_symlink libexec/"share/fish/vendor_completions.d/scribed.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/scribed --version")
    assert_match "cpu", shell_output("#{bin}/scribed doctor")
  end
end
