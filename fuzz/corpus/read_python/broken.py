import pypto.language as pl
@pl.program
class P:
	@pl.function
	def f(self, a: pl.Scalar[pl.FP8E5M2]):
		"""x
		y"""
		return "unterminated
